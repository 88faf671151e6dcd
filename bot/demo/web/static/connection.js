// The socket to the server: it comes back by itself, and every request gets an answer.

import { said } from "./words.js";

const AGAIN = 1000; // ms between two tries

/** `take(news)` is told what the server sends, `up(is)` whether there is a connection. */
export function connection(url, take, up) {
  const asks = new Map(); // number -> what to do with the answer
  let socket = null;
  let numbered = 0;

  function open() {
    socket = new WebSocket(url);
    socket.onopen = () => up(true);
    socket.onmessage = ({ data }) => {
      const { answers, ...news } = JSON.parse(data);
      take(news);
      for (const one of answers || []) answered(one);
    };
    socket.onclose = () => {
      up(false);
      for (const n of [...asks.keys()]) answered({ n, ok: false, why: said("not_running") });
      setTimeout(open, AGAIN);
    };
  }

  function answered(one) {
    const done = asks.get(one.n);
    asks.delete(one.n);
    if (done) done(one);
    else if (!one.ok) take({ trouble: one.why });
  }

  open();

  /** Sends a request; `done` is told of the answer: whether it is ok, or else why not. */
  return function ask(what, done = () => {}) {
    if (socket.readyState !== WebSocket.OPEN) return done({ ok: false, why: said("not_running") });
    numbered += 1;
    asks.set(numbered, done);
    socket.send(JSON.stringify({ n: numbered, ...what }));
  };
}
