// Carries connections between Unix sockets and ports on loopback, both ways:
//
//	node relay.js FROM TO [FROM TO ...]
//
// where each FROM is listened on and each TO is connected to: "port:3128", on 127.0.0.1, or "unix:/path".
"use strict";

const net = require("net");

function at(place) {
	const [, kind, rest] = /^(port|unix):(.+)$/.exec(place);
	return kind === "unix" ? { path: rest } : { host: "127.0.0.1", port: Number(rest) };
}

function relay(from, to) {
	const server = net.createServer({ allowHalfOpen: true }, (near) => {
		const far = net.connect({ ...at(to), allowHalfOpen: true });
		const end = () => (near.destroy(), far.destroy());
		for (const socket of [near, far]) {
			socket.setNoDelay?.(true);
			socket.on("error", end);
		}
		near.pipe(far);
		far.pipe(near);
	});
	server.maxConnections = 512;
	server.on("error", (error) => {
		console.error(`relay ${from}: ${error.message}`);
		process.exit(1);
	});
	return server.listen(at(from));
}

if (require.main === module) {
	for (let i = 2; i + 1 < process.argv.length; i += 2) relay(process.argv[i], process.argv[i + 1]);
}

module.exports = { relay };
