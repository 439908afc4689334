# What is expected of pages and locators, by the names of Playwright for Python, for worker.py, which stands behind this in one program.
# Each check names the driver's expression and its options: the driver repeats it until it holds or its time is over.


def texts(expected, **options):
    """The driver's form of one or several texts or patterns."""
    options = {key: value for key, value in options.items() if value is not None}
    return [{**expected_text(one), **options} for one in (expected if isinstance(expected, (list, tuple)) else [expected])]


def expected_text(one):
    if isinstance(one, re.Pattern):
        return {"regexSource": one.pattern, "regexFlags": flags_of(one)}
    if isinstance(one, str):
        return {"string": one}
    raise TypeError(f"a {type(one).__name__} can't be expected here: want a string or a pattern")


def flags_of(pattern):
    """The flags that the browser knows."""
    return "".join(letter for letter, flag in (("i", re.I), ("m", re.M), ("s", re.S)) if pattern.flags & flag)


def several(expression, expected):
    return expression + ".array" if isinstance(expected, (list, tuple)) else expression


class LocatorChecks:
    def to_be_attached(attached=True):
        return "to.be.attached" if attached else "to.be.detached", {}

    def to_be_checked(checked=None, indeterminate=None):
        wanted = {"indeterminate": True} if indeterminate else {"checked": checked is not False}
        return "to.be.checked", {"expectedValue": wanted}

    def to_be_disabled():
        return "to.be.disabled", {}

    def to_be_editable(editable=True):
        return "to.be.editable" if editable else "to.be.readonly", {}

    def to_be_empty():
        return "to.be.empty", {}

    def to_be_enabled(enabled=True):
        return "to.be.enabled" if enabled else "to.be.disabled", {}

    def to_be_focused():
        return "to.be.focused", {}

    def to_be_hidden():
        return "to.be.hidden", {}

    def to_be_in_viewport(ratio=None):
        return "to.be.in.viewport", {"expectedNumber": ratio}

    def to_be_visible(visible=True):
        return "to.be.visible" if visible else "to.be.hidden", {}

    def to_contain_class(expected):
        return several("to.contain.class", expected), {"expectedText": texts(expected)}

    def to_contain_text(expected, use_inner_text=None, ignore_case=None):
        expression = "to.contain.text.array" if isinstance(expected, (list, tuple)) else "to.have.text"
        wanted = texts(expected, matchSubstring=True, normalizeWhiteSpace=True, ignoreCase=ignore_case)
        return expression, {"expectedText": wanted, "useInnerText": use_inner_text}

    def to_have_accessible_description(description, ignore_case=None):
        return "to.have.accessible.description", {"expectedText": texts(description, ignoreCase=ignore_case, normalizeWhiteSpace=True)}

    def to_have_accessible_error_message(error_message, ignore_case=None):
        return "to.have.accessible.error.message", {"expectedText": texts(error_message, ignoreCase=ignore_case, normalizeWhiteSpace=True)}

    def to_have_accessible_name(name, ignore_case=None):
        return "to.have.accessible.name", {"expectedText": texts(name, ignoreCase=ignore_case, normalizeWhiteSpace=True)}

    def to_have_attribute(name, value=None, ignore_case=None):
        if value is None:
            return "to.have.attribute", {"expressionArg": name}
        return "to.have.attribute.value", {"expressionArg": name, "expectedText": texts(value, ignoreCase=ignore_case)}

    def to_have_class(expected):
        return several("to.have.class", expected), {"expectedText": texts(expected)}

    def to_have_count(count):
        return "to.have.count", {"expectedNumber": count}

    def to_have_css(name, value):
        return "to.have.css", {"expressionArg": name, "expectedText": texts(value)}

    def to_have_id(id):
        return "to.have.id", {"expectedText": texts(id)}

    def to_have_js_property(name, value):
        return "to.have.property", {"expressionArg": name, "expectedValue": value}

    def to_have_role(role):
        return "to.have.role", {"expectedText": texts(role)}

    def to_have_text(expected, use_inner_text=None, ignore_case=None):
        wanted = texts(expected, normalizeWhiteSpace=True, ignoreCase=ignore_case)
        return several("to.have.text", expected), {"expectedText": wanted, "useInnerText": use_inner_text}

    def to_have_value(value):
        return "to.have.value", {"expectedText": texts(value)}

    def to_have_values(values):
        return "to.have.values", {"expectedText": texts(values)}

    def to_match_aria_snapshot(expected):
        return "to.match.aria", {"expectedValue": textwrap.dedent(expected)}


class PageChecks:
    def to_have_title(title_or_reg_exp):
        return "to.have.title", {"expectedText": texts(title_or_reg_exp, normalizeWhiteSpace=True)}

    def to_have_url(url_or_reg_exp, ignore_case=None):
        return "to.have.url", {"expectedText": texts(url_or_reg_exp, ignoreCase=ignore_case)}


CHECKS = {"Locator": LocatorChecks, "Page": PageChecks}


def checks_of(kind):
    return [name for name in vars(CHECKS[kind]) if name.startswith("to_")]


class Assertions:
    """The checks of one object. Each has an opposite, with not_ before its name."""

    def __init__(self, handle, message):
        self._handle, self._kind, self._message = handle, kind_of(handle), message

    def __getattr__(self, name):
        known = checks_of(self._kind)
        if name.removeprefix("not_") not in known:
            raise AttributeError(f"expect of a {self._kind} has no {name!r}; it has, also with not_ before: {', '.join(known)}")
        return lambda *args, **options: check(self, name, args, options)

    def __dir__(self):
        return [prefix + name for name in checks_of(self._kind) for prefix in ("", "not_")]


def kind_of(handle):
    kind = object.__getattribute__(handle, "_kind") if isinstance(handle, Handle) else type(handle).__name__
    if kind not in CHECKS:
        raise TypeError(f"expect takes a Page or a Locator here, not a {kind}")
    return kind


def check(expected, name, args, options):
    timeout = options.pop("timeout", None)
    if timeout is None:
        timeout = expect.timeout
    positive = name.removeprefix("not_")
    expression, wanted = getattr(CHECKS[expected._kind], positive)(*args, **options)
    wanted = {key: value for key, value in wanted.items() if value is not None}
    on = expected._handle.main_frame if expected._kind == "Page" else expected._handle
    result = bridge.ask(on._number, "_expect", [expression, {**wanted, "isNot": positive != name, "timeout": timeout}])
    if result["matches"] == (positive != name):
        raise AssertionError(failure(expected, name, args, timeout, result))


def failure(expected, name, args, timeout, result):
    words = name.replace("_", " ") + "".join(f" {arg!r}" for arg in args)
    lines = [expected._message or f"{expected._kind} expected {words}, within {timeout:g} ms"]
    received = (result.get("received") or {}).get("ariaSnapshot" if name.endswith("aria_snapshot") else "value")
    if received is not None:
        lines.append(f"Actual value: {received}")
    if result.get("errorMessage"):
        lines.append(result["errorMessage"])
    return "\n".join(lines + [f"  {line.strip()}" for line in (result.get("log") or [])[:20]])


class Expect:
    """expect(page) and expect(locator); set_options changes how long checks wait, in milliseconds."""

    timeout = 5000

    def __call__(self, actual, message=None):
        return Assertions(actual, message)

    def set_options(self, timeout=None):
        self.timeout = Expect.timeout if timeout is None else timeout


expect = Expect()
