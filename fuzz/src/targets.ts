import type { Target } from './target.ts';
import { connectionTarget } from './targets/connection.ts';
import { expressionTarget } from './targets/expression.ts';
import { frameTarget } from './targets/frame.ts';
import { manifestTarget } from './targets/manifest.ts';
import { resumableStreamTarget } from './targets/resumable-stream.ts';
import { rpcTarget } from './targets/rpc.ts';
import { transferHeadersTarget } from './targets/transfer-headers.ts';
import { webSocketTarget } from './targets/web-socket.ts';

/** The targets without a socket, and the share of the runs that each gets; cheap targets get more. */
export const targets: readonly { readonly target: Target; readonly share: number }[] = [
  { target: frameTarget, share: 0.42 },
  { target: connectionTarget, share: 0.34 },
  { target: webSocketTarget, share: 0.14 },
  { target: rpcTarget, share: 0.03 },
  { target: resumableStreamTarget, share: 0.01 },
  { target: expressionTarget, share: 0.02 },
  { target: manifestTarget, share: 0.02 },
  { target: transferHeadersTarget, share: 0.02 },
];
