/** How the end of a connection is told: only what the hub recorded. */
export function endSentence(
  reason: string | undefined,
  cause: string | undefined,
  said: string | undefined,
): { readonly title: string; readonly detail: string } {
  if (reason === 'NodeCrashed')
    return { title: 'Connection lost with its node', detail: 'the node stopped without a word' };
  if (reason === 'ServerShutdown') return { title: 'Disconnected by a stop of the hub', detail: '' };
  const quoted = said === undefined || said === '' ? '' : `: ${said}`;
  switch (cause) {
    case 'Left':
      return { title: 'Disconnected', detail: `the device closed the connection${quoted}` };
    case 'Closed':
      return { title: 'Disconnected by the hub', detail: said ?? '' };
    case 'Silent':
      return { title: 'Connection lost', detail: 'no byte for 20 seconds, never closed' };
    case 'Stalled':
      return { title: 'Connection lost', detail: 'the device read nothing any more' };
    case 'Lost':
      return { title: 'Connection lost', detail: 'the line was cut without a closing message' };
    case 'Violation':
      return { title: 'Disconnected by the hub', detail: `the device broke the protocol${quoted}` };
    case 'Failed':
      return { title: 'Disconnected by the hub', detail: 'the hub failed' };
    default:
      return { title: 'Disconnected', detail: 'the hub does not know why' };
  }
}
