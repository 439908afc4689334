# What there is of Playwright for Python's names, for worker.py, which stands behind this in one program.
import re

# What each kind of object has: methods with their positional parameters, and properties, which have no brackets.
FINDERS = """locator(selector) frame_locator(selector) get_by_role(role) get_by_text(text) get_by_label(text) get_by_placeholder(text)
    get_by_alt_text(text) get_by_title(text) get_by_test_id(test_id)"""
ACTS = """click dblclick tap hover focus check uncheck text_content inner_text inner_html input_value is_visible is_hidden is_enabled is_disabled
    is_editable is_checked"""
INPUTS = "fill(value) type(text) press(key) set_checked(checked) set_input_files(files) dispatch_event(type,event_init) get_attribute(name)"


def with_selector(text):
    """The same methods with a selector before their other parameters."""
    return re.sub(r"(\w+)(?:\(([^)]*)\))?", lambda m: f"{m[1]}(selector{',' + m[2] if m[2] else ''})", text)


def methods(text):
    """The same names as methods without parameters."""
    return re.sub(r"\w+", lambda m: m[0] + "()", text)


BOTH = f"""{FINDERS} {with_selector(ACTS)} {with_selector(INPUTS)} goto(url) title() content() set_content(html) select_option(selector,value)
    evaluate(expression,arg) evaluate_handle(expression,arg) query_selector(selector) query_selector_all(selector)
    eval_on_selector(selector,expression,arg) eval_on_selector_all(selector,expression,arg) drag_and_drop(source,target)
    wait_for_load_state(state) wait_for_selector(selector) wait_for_timeout(timeout) wait_for_url(url) wait_for_function(expression)
    add_script_tag() add_style_tag() is_closed() url name"""
NAMES = {
    "Page": BOTH + """ reload() go_back() go_forward() screenshot() pdf() close() bring_to_front() opener() frame(name) set_viewport_size(viewport_size)
        set_default_timeout(timeout) set_default_navigation_timeout(timeout) set_extra_http_headers(headers) add_init_script(script) emulate_media()
        wait_for_event(event) expect_event(event) expect_popup() expect_download() expect_navigation() expect_request(url) expect_response(url)
        expect_request_finished() expect_console_message() expect_file_chooser() keyboard mouse touchscreen context main_frame frames viewport_size""",
    "Frame": BOTH + " page parent_frame child_frames is_detached() frame_element() expect_navigation()",
    "Locator": FINDERS + " " + methods(ACTS) + " " + INPUTS + """ select_option(value) select_text() clear() press_sequentially(text) count() nth(index)
        filter() and_(locator) or_(locator) all() all_inner_texts() all_text_contents() bounding_box() blur() drag_to(target) evaluate(expression,arg)
        evaluate_all(expression,arg) evaluate_handle(expression,arg) element_handle() element_handles() highlight() screenshot() scroll_into_view_if_needed()
        wait_for() aria_snapshot() first last page content_frame""",
    "FrameLocator": FINDERS + " nth(index) first last owner",
    "ElementHandle": methods(ACTS) + " " + INPUTS + """ select_option(value) select_text() bounding_box() screenshot() scroll_into_view_if_needed()
        evaluate(expression,arg) query_selector(selector) query_selector_all(selector) eval_on_selector(selector,expression,arg)
        eval_on_selector_all(selector,expression,arg) wait_for_element_state(state) wait_for_selector(selector) content_frame() owner_frame()
        json_value() as_element() dispose() get_property(name)""",
    "JSHandle": "evaluate(expression,arg) json_value() as_element() dispose() get_property(name) get_properties()",
    "BrowserContext": """new_page() cookies(urls) add_cookies(cookies) clear_cookies() storage_state() set_default_timeout(timeout)
        set_default_navigation_timeout(timeout) set_extra_http_headers(headers) set_geolocation(geolocation) set_offline(offline)
        grant_permissions(permissions) clear_permissions() add_init_script(script) wait_for_event(event) expect_event(event) expect_page() close()
        pages browser""",
    "Browser": "new_context() new_page() is_connected() close() contexts version",
    "Keyboard": "press(key) type(text) insert_text(text) down(key) up(key)",
    "Mouse": "click(x,y) dblclick(x,y) move(x,y) down() up() wheel(delta_x,delta_y)",
    "Touchscreen": "tap(x,y)",
    "Response": """body() text() json() all_headers() header_value(name) header_values(name) headers_array() finished() security_details() server_addr()
        url status status_text ok headers request frame from_service_worker""",
    "Request": """all_headers() header_value(name) headers_array() response() sizes() url method headers post_data post_data_json resource_type failure
        frame timing redirected_from redirected_to is_navigation_request()""",
    "Download": "path() save_as(path) failure() cancel() delete() suggested_filename url page",
    "ConsoleMessage": "text type args location page",
    "Dialog": "accept(prompt_text) dismiss() message type default_value page",
    "FileChooser": "set_files(files) is_multiple() element page",
    "Worker": "evaluate(expression,arg) evaluate_handle(expression,arg) url",
}
EXPECTED = {
    "expect_navigation": ("waitForNavigation",), "expect_request": ("waitForRequest",), "expect_response": ("waitForResponse",),
    "expect_event": ("waitForEvent",), "expect_popup": ("waitForEvent", "popup"), "expect_download": ("waitForEvent", "download"),
    "expect_request_finished": ("waitForEvent", "requestfinished"), "expect_console_message": ("waitForEvent", "console"),
    "expect_file_chooser": ("waitForEvent", "filechooser"), "expect_page": ("waitForEvent", "page"),
}
# Names that aren't the other language's with capitals for the underscores.
TRANSLATED = {
    "query_selector": "$", "query_selector_all": "$$", "eval_on_selector": "$eval", "eval_on_selector_all": "$$eval", "and_": "and", "or_": "or",
    "inner_html": "innerHTML", "set_extra_http_headers": "setExtraHTTPHeaders", "extra_http_headers": "extraHTTPHeaders", "base_url": "baseURL",
    "bypass_csp": "bypassCSP", "ignore_https_errors": "ignoreHTTPSErrors", "indexed_db": "indexedDB", "post_data_json": "postDataJSON",
}
