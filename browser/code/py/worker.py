# Python. Statements run in one interpreter per session; the browser's objects live in a process of Node.js, and are spoken to by lines of JSON.
# The names are those of Playwright for Python. Every call waits for its end; "await" is allowed everywhere and waits for nothing then.
import ast
import asyncio
import base64
import inspect
import json
import linecache
import os
import subprocess
import sys
import textwrap
import threading
import traceback
import types
import weakref


def parse(text):
    members = {}
    for name, brackets, parameters in re.findall(r"(\w+)(\(([^)]*)\))?", text):
        members[name] = [p for p in parameters.split(",") if p] if brackets else None
    return members


MEMBERS = {kind: parse(text) for kind, text in NAMES.items()}


def camel(name):
    return TRANSLATED.get(name) or re.sub(r"_(\w)", lambda m: m[1].upper(), name)


class Error(Exception):
    """What the browser refused or failed to do."""

    @property
    def message(self):
        return str(self)


class TimeoutError(Error):
    """Something that was waited for didn't happen in time."""


class Bridge:
    """The process of Node.js that has the objects."""

    def __init__(self, setup):
        theirs, out = os.pipe()
        self.lines, mine = os.pipe()
        # Node.js would make pipes that it shares with this process fail when they are full.
        nowhere = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        self.process = subprocess.Popen([setup["node"], "-", str(theirs), str(mine)], stdin=subprocess.PIPE, pass_fds=(theirs, mine), **nowhere)
        os.close(theirs)
        os.close(mine)
        self.process.stdin.write(setup.pop("bridge").encode())
        self.process.stdin.close()
        self.out = os.fdopen(out, "w", encoding="utf-8")
        self.lines = os.fdopen(self.lines, "r", encoding="utf-8")
        self.lock = threading.RLock()
        self.objects = weakref.WeakValueDictionary()
        self.dropped = set()

    def exchange(self, message):
        self.out.write(json.dumps(message) + "\n")
        self.out.flush()
        line = self.lines.readline()
        if not line:
            raise Error("the connection to the browser is lost")
        return json.loads(line)

    def ask(self, on, call, args=(), later=False):
        arguments = encode(list(args))
        with self.lock:
            drop, self.dropped = list(self.dropped), set()
            reply = self.exchange({"on": on, "call": call, "args": arguments, "later": later, "drop": drop})
            if "error" in reply:
                raise (TimeoutError if reply.get("name") == "TimeoutError" else Error)(reply["error"])
            return self.decode(reply["value"])

    def decode(self, value):
        if isinstance(value, list):
            return [self.decode(item) for item in value]
        if not isinstance(value, dict):
            return value
        if "$h" in value:
            return self.object(value["$h"], value["$t"])
        if "$b" in value:
            return base64.b64decode(value["$b"])
        if "$n" in value:
            text = value["$n"]
            return int(text) if text.lstrip("-").isdigit() else float(text.replace("Infinity", "inf"))
        return {key: self.decode(item) for key, item in value.items()}

    def object(self, number, kind):
        found = self.objects.get(number)
        if found is None:
            found = Handle(number, kind)
            self.objects[number] = found
            weakref.finalize(found, self.dropped_one, number)
        self.dropped.discard(number)
        return found

    def dropped_one(self, number):
        if number not in self.objects:
            self.dropped.add(number)


def encode(value):
    if isinstance(value, Handle):
        return {"$h": object.__getattribute__(value, "_number")}
    if isinstance(value, re.Pattern):
        return {"$re": value.pattern, "$flags": flags_of(value)}
    if isinstance(value, (bytes, bytearray)):
        return {"$b": base64.b64encode(value).decode()}
    if isinstance(value, dict):
        return {str(key): encode(item) for key, item in value.items()}
    if isinstance(value, (list, tuple, set)):
        return [encode(item) for item in value]
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if isinstance(value, Source):
        return {"$f": str(value)}
    if value is None or isinstance(value, (str, int, float)):
        return value
    raise TypeError(f"a {type(value).__name__} can't be given to the browser" + (": functions aren't supported here" if callable(value) else ""))


class Source(str):
    """A script for the page, which may be a function."""


class Handle:
    """An object of the browser's."""

    def __init__(self, number, kind):
        object.__setattr__(self, "_number", number)
        object.__setattr__(self, "_kind", kind)

    def __getattr__(self, name):
        kind, members = self._kind, MEMBERS.get(self._kind, {})
        if name not in members:
            if name.startswith("__"):
                raise AttributeError(name)
            raise AttributeError(f"{kind} has no {name!r} here; it has: {', '.join(sorted(members)) or 'nothing'}")
        if members[name] is None:
            return bridge.ask(self._number, camel(name))
        return Method(self, name, members[name])

    def __setattr__(self, name, value):
        raise AttributeError(f"{name!r} of a {self._kind} can't be set")

    def __dir__(self):
        return sorted(MEMBERS.get(self._kind, {}))

    def __repr__(self):
        if self._kind in ("Locator", "JSHandle", "ElementHandle"):
            return str(bridge.ask(self._number, "toString"))
        if "url" in MEMBERS.get(self._kind, {}):
            return f"<{self._kind} url={self.url!r}>"
        return f"<{self._kind}>"


class Method:
    """A method of an object's."""

    def __init__(self, handle, name, parameters):
        self.handle, self.name, self.parameters = handle, name, parameters

    def __repr__(self):
        return f"<method {self.name}({', '.join(self.parameters)}) of {self.handle._kind}>"

    def __call__(self, *args, **options):
        if len(args) > len(self.parameters):
            raise TypeError(f"{self.name}() takes {len(self.parameters)} positional arguments but {len(args)} were given; give the others by name")
        if self.name == "select_option":
            choose(args, options, self.parameters)
        values = list(args)
        for parameter in self.parameters[len(args):]:
            values.append(options.pop(parameter, None))
        if self.name == "add_init_script":
            values[0] = {"content": values[0]} if values[0] is not None else {"path": options.pop("path")}
        if self.name == "wait_for_function":
            values.append(options.pop("arg", None))
        for i, parameter in enumerate(self.parameters):
            if parameter == "expression" and isinstance(values[i], str):
                values[i] = Source(values[i])
        options = {camel(key): value for key, value in options.items() if value is not None}
        if self.name in EXPECTED:
            call, *first = EXPECTED[self.name]
            return Expected(self.handle, call, [*first, *values, *([options] if options else [])])
        while values and values[-1] is None and not options:
            values.pop()
        return bridge.ask(self.handle._number, camel(self.name), [*values, options] if options else values)


def choose(args, options, parameters):
    """Turns what is to be chosen by index or label into the value that the driver takes."""
    for key in ("index", "label", "element"):
        if (given := options.pop(key, None)) is not None:
            many = given if isinstance(given, (list, tuple)) else [given]
            options["value"] = [item if key == "element" else {key: item} for item in many]


class Expected:
    """Something that happens while a block runs."""

    def __init__(self, handle, call, args):
        self.handle, self.call, self.args, self.done = handle, call, args, False

    def __enter__(self):
        self.number = bridge.ask(self.handle._number, self.call, self.args, later=True)
        return self

    def __exit__(self, kind, error, trace):
        if kind is None:
            self.value

    async def __aenter__(self):
        return self.__enter__()

    async def __aexit__(self, *error):
        self.__exit__(*error)

    @property
    def value(self):
        if not self.done:
            self.result, self.done = bridge.ask("tab", "", [self.number]), True
        return self.result


class Ready:
    """A value that can be awaited because it is there already."""

    def __init__(self, value):
        self.value = value

    def __await__(self):
        return self.value
        yield


def ready(value):
    return value if inspect.isawaitable(value) else Ready(value)


async def awaited(value):
    return await ready(value)


class Awaits(ast.NodeTransformer):
    """Makes "await" take values too: the calls of the browser's objects have ended when they return."""

    def visit_Await(self, node):
        self.generic_visit(node)
        call = ast.Call(ast.Name("__ready__", ast.Load()), [node.value], [])
        return ast.copy_location(ast.Await(ast.copy_location(call, node)), node)


def compiled(code):
    """The statements of the code, and its last expression or None."""
    tree = ast.parse(code, "code.py")
    linecache.cache["code.py"] = (len(code), None, code.splitlines(True), "code.py")
    tree = ast.fix_missing_locations(Awaits().visit(tree))
    flags, last = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, None
    if tree.body and isinstance(tree.body[-1], ast.Expr):
        last = compile(ast.Expression(tree.body.pop().value), "code.py", "eval", flags)
    return compile(tree, "code.py", "exec", flags), last


def evaluate(code):
    value = eval(code, names)
    return loop.run_until_complete(value) if inspect.iscoroutine(value) else value


def render(value):
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, (bytes, bytearray)):
        return base64.b64encode(value).decode()
    if not isinstance(value, (bool, int, float, list, tuple, dict)):
        return repr(value)
    try:
        return json.dumps(value, ensure_ascii=False, default=repr)
    except (TypeError, ValueError, RecursionError):
        return repr(value)


def run(code):
    """Runs code and returns its exit code and result."""
    try:
        statements, last = compiled(code)
        evaluate(statements)
        return 0, render(evaluate(last)) if last else None
    except SystemExit as end:
        if end.code is None or isinstance(end.code, int):
            return end.code or 0, None
        print(end.code, file=sys.stderr)
        return 1, None
    except BaseException as error:
        complain(error)
        return 1, None


def complain(error):
    """Writes the traceback without the frames of this program."""
    own = traceback.TracebackException.from_exception(error)
    seen = own
    while seen is not None:
        own_frames = ("<stdin>", ast.__file__) if isinstance(error, SyntaxError) else ("<stdin>",)
        seen.stack = traceback.StackSummary.from_list([frame for frame in seen.stack if frame.filename not in own_frames])
        seen = seen.__cause__ or seen.__context__
    text = "".join(own.format())
    sys.stderr.write(text)


def module(name, **members):
    made = types.ModuleType(name)
    made.__dict__.update(members)
    sys.modules[name] = made
    return made


def not_needed(*_):
    raise Error("the browser is there already: use the names page, context and browser")


def answer(**message):
    answers.write((json.dumps(message, ensure_ascii=False) + "\n").encode("utf-8", "backslashreplace"))
    answers.flush()


def flush(mark):
    for stream in {sys.stdout, sys.stderr, sys.__stdout__, sys.__stderr__}:
        try:
            stream.flush()
        except Exception:
            pass
    os.write(1, mark.encode())
    os.write(2, mark.encode())


def follow():
    """Sets the three names, but for those that the code has given another meaning."""
    for name in ("page", "context", "browser"):
        if name not in names or names[name] is given.get(name):
            names[name] = given[name] = bridge.ask("tab", name)


def serve(message, most):
    try:
        follow()
    except Exception as error:
        return answer(id=message["id"], error=str(error), gone=True)
    code, result = run(message["code"])
    flush(message["mark"])
    answer(id=message["id"], exit=code, result=result and result[:most])


requests, answers = os.fdopen(3, "r", encoding="utf-8"), os.fdopen(4, "wb")
os.set_inheritable(3, False)
os.set_inheritable(4, False)
setup = json.loads(requests.readline())
bridge = Bridge(setup)
given = {}
names = {"__name__": "__main__", "__builtins__": __builtins__, "__ready__": ready, "expect": expect}
loop = asyncio.new_event_loop()
asyncio.set_event_loop(loop)
gather = asyncio.gather
asyncio.gather = lambda *several, **options: gather(*(awaited(one) for one in several), **options)
for part in ("sync", "async"):
    module(f"playwright.{part}_api", Error=Error, TimeoutError=TimeoutError, expect=expect, **{f"{part}_playwright": not_needed})
module("playwright", sync_api=sys.modules["playwright.sync_api"], async_api=sys.modules["playwright.async_api"])
started = bridge.exchange(setup)
answer(**started)
if "error" not in started:
    for request in requests:
        serve(json.loads(request), setup["max"])
