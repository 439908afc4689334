/*! Written for these pages, in the style of an Angular build. */
globalThis.Zone||(globalThis.Zone={current:{name:"<root>",run:f=>f()}});
