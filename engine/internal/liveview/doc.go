// Package liveview shows browsers to people, and lets those who may operate them.
//
// It serves a page that shows a screen as pictures over a WebSocket, and sends back what mouse and keyboard do. Who may watch and
// who may operate is known by unguessable addresses. It knows no browser: a Screen is what it is given. It knows no users and no
// sessions either, and makes no addresses but paths. Start with New, Server.Add and Server.Listen, or mount the Server.
//
//	screen.go     Screen: what is shown and operated
//	server.go     Server: the screens, their addresses, and the end
//	serve.go      HTTP: which address is what, and the headers
//	listen.go     a listener of its own
//	stage.go      one screen and its viewers: one screencast for all
//	viewer.go     one viewer: what is sent, and when
//	reader.go     what a viewer sends: acknowledged pictures, input
//	queue.go      input that waits for the screen
//	message.go    the messages of the socket
//	page.go       the page: view.html, view.css, view.js
package liveview
