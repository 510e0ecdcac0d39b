import { lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';

const addresses = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

/** Looks up a peer, as the option `lookup` of requests; names below `localhost` are this machine, which resolvers often do not know. */
export const lookupPeer: LookupFunction = (hostname, options, callback) => {
  if (!hostname.toLowerCase().endsWith('.localhost')) {
    lookup(hostname, options, callback);
    return;
  }
  const wanted = [4, 6].includes(Number(options.family)) ? Number(options.family) : undefined;
  const fitting = addresses.filter(({ family }) => wanted === undefined || family === wanted);
  const [first] = fitting;
  process.nextTick(() => {
    if (options.all === true) callback(null, fitting);
    else callback(null, first?.address ?? '', first?.family);
  });
};
