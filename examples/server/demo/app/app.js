// The page has nothing but what this makes of /api/tasks.
const root = document.querySelector("#root");
root.innerHTML = `<header><h1>Mill tasks</h1><nav><a href="/login">Log in</a> <a href="/counter">Counter</a> <a href="/form">Order</a> <a href="/late">Late</a></nav></header>
<main><p id="count">Loading…</p><form id="find"><label>Find <input name="q" type="search"></label></form><ul id="tasks"></ul><button id="more">Load more</button></main>`;
const list = root.querySelector("#tasks"), more = root.querySelector("#more"), count = root.querySelector("#count");
let shown = 0;

async function load() {
  const answer = await fetch("/api/tasks?from=" + shown);
  const { tasks, total } = await answer.json();
  for (const task of tasks) {
    const item = document.createElement("li");
    item.dataset.id = task.id;
    item.className = task.done ? "done" : "open";
    item.textContent = task.text;
    list.append(item);
  }
  shown += tasks.length;
  count.textContent = `${shown} of ${total} tasks`;
  more.hidden = shown >= total;
  find();
}

function find() {
  const word = root.querySelector("[name=q]").value.toLowerCase();
  for (const item of list.children) item.hidden = !item.textContent.toLowerCase().includes(word);
}

more.onclick = load;
root.querySelector("#find").oninput = find;
root.querySelector("#find").onsubmit = event => event.preventDefault();
load();
