import { WebSocketServer } from 'ws';
import { AdmissionError } from './AdmissionError.ts';
import { PeerWebSocket } from './PeerWebSocket.ts';
import { refuseUpgrade } from './refuse-upgrade.ts';

/** The longest frame: the largest window ever granted, and the fields in front of it. */
const maxFrameBytes = 1_048_576 + 9;
const maxFragmentsPerFrame = 16;
/** Pieces that one frame may arrive in: a megabyte in the smallest segments of the internet, and some more. */
const maxChunksPerFrame = 4_096;

/** Makes WebSockets of upgraded requests, with the limits of the device link. */
export function createWebSocketServer(): WebSocketServer {
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: maxFrameBytes,
    maxFragments: maxFragmentsPerFrame,
    maxBufferedChunks: maxChunksPerFrame,
    // One message a turn of the event loop: a peer that sends thousands of tiny ones at once holds up nobody else.
    allowSynchronousEvents: false,
    // Text messages are ignored, whatever is in them.
    skipUTF8Validation: true,
    autoPong: false,
    WebSocket: PeerWebSocket,
  });
  server.on('wsClientError', (error, socket) =>
    refuseUpgrade(socket, new AdmissionError(400, 'Invalid', `${error.message}.`)),
  );
  return server;
}
