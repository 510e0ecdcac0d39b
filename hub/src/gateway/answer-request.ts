import type { ChannelRequest } from '@corral/multiplex';
import { forward, parseForward } from './forward.ts';
import type { Link } from './link.ts';
import { serveExecutor } from './serve-executor.ts';
import type { State } from './state.ts';

const maxExecutorsPerLink = 8;

/** Answers what a device or a command line asks for a channel to. */
export function answerRequest(state: State, link: Link, request: ChannelRequest): void {
  if (request.endpoint === 'executor') return answerExecutor(state, link, request);
  const to = parseForward(request.endpoint);
  if (to === undefined) return request.reject('unknown endpoint');
  const parts = {
    executor: state.parts.executor,
    forwardings: state.forwardings,
    connectionOf: (deviceId: string) => state.directory.ofDevice(deviceId),
  };
  forward(parts, link, request, to).catch((error: unknown) => {
    state.parts.log.error({ err: error }, 'a forwarding failed');
  });
}

/** A call holds an input and an output, so a connection gets a few channels for calls. */
function answerExecutor(state: State, link: Link, request: ChannelRequest): void {
  if (link.executorCount < maxExecutorsPerLink) return openExecutor(state, link, request);
  // Those whose end came just before are still being ended.
  setImmediate(() => {
    if (link.executorCount < maxExecutorsPerLink) openExecutor(state, link, request);
    else request.reject('too many executor channels');
  });
}

function openExecutor(state: State, link: Link, request: ChannelRequest): void {
  link.executorCount += 1;
  void serveExecutor(state.parts.executor, state.inputs, link, request.accept()).finally(
    () => (link.executorCount -= 1),
  );
}
