// Which methods the client has, and which of them are driven here.

import { check } from "./check.mjs";

export const called = new Set();

// watched notes the name of each method that is called.
export function watched(client) {
  return new Proxy(client, {
    get(target, name) {
      const value = target[name];
      if (typeof value !== "function") return value;
      return (...args) => {
        called.add(name);
        return value.apply(target, args);
      };
    },
  });
}

const market = "the vendor's marketplace of tools";
const opinions = "feedback to the vendor";

// Methods for which this service has no route, and why.
export const notServed = {
  findTools: market,
  developerSearch: "the vendor's index of code",
  feedback: opinions,
  searchFeedback: opinions,
  getAgentThread: "agents here have no threads",
  isCloudService: "asks nothing",
};

// missing checks that every method is driven, or is known not to be served and answered so.
export function missing(client) {
  const names = new Set();
  for (let proto = Object.getPrototypeOf(client); proto && proto !== Object.prototype; proto = Object.getPrototypeOf(proto)) {
    for (const [name, d] of Object.entries(Object.getOwnPropertyDescriptors(proto))) {
      if (typeof d.value === "function" && name !== "constructor") names.add(name);
    }
  }
  for (const name of names) {
    check(called.has(name) !== name in notServed, `${name}: neither driven nor told to be none of this service's, or both`);
  }
  for (const name of Object.keys(notServed)) check(names.has(name), `${name}: told not to be served, but no method of the client`);
}
