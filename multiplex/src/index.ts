/**
 * The protocol between hub, devices and command line: many channels over one transport. The rules are in SPEC.md.
 *
 * A gateway, on upgrading a request:
 *
 *     const transport = new WebSocketTransport(socket, { side: 'server' });   // after the answer 101
 *     const connection = new MultiplexConnection({
 *       transport, now: () => performance.now(), delayChannelClosed: true, schedule: setTimeout,
 *       onChannelRequest: (request) => {
 *         if (request.endpoint === 'executor') void serveRpc(request.accept(), execute);
 *         else request.reject('unknown endpoint');
 *       },
 *       onClosed: (end) => connections.delete(connection),
 *     });
 *     connections.add(connection);              // one setInterval ticks all of them about once a second
 *     const channel = await connection.openChannel('forward/tcp/80', { signal: AbortSignal.timeout(10_000) });
 *
 * An agent, on connecting:
 *
 *     const transport = new WebSocketTransport(socket, { side: 'client' });   // in the event `upgrade` of the request
 *     const connection = new MultiplexConnection({ transport, now, pingIntervalMs: 5_000, onChannelRequest });
 *     const rpc = new RpcClient(await connection.openChannel('executor'));
 *     const actor = await rpc.invoke('actor_GetActor', {});
 */
export type { ByteStream, Channel, ChunkHandler } from './channel.ts';
export { ByteReader } from './byte-reader.ts';
export { MultiplexConnection } from './connection.ts';
export type { ChannelRequest, ConnectionEnd, ConnectionOptions } from './connection-options.ts';
export { ChannelClosure, ChannelRejection, ConnectionClosure, ProtocolViolation } from './errors.ts';
export { decodeFrame, encodeFrame } from './frame.ts';
export type { Frame } from './frame.ts';
export { trackBuffer, retain, release } from './buffer-tracking.ts';
export { defaultLimits } from './limits.ts';
export type { Limits } from './limits.ts';
export { BytePool } from './resumable/byte-pool.ts';
export type { Schedule } from './resumable/AckScheduler.ts';
export type { ResumableStream } from './resumable/ResumableStream.ts';
export { StreamAcceptor } from './resumable/StreamAcceptor.ts';
export { StreamOpener } from './resumable/StreamOpener.ts';
export { sessionIdBytes } from './resumable/stream-frames.ts';
export { maxRpcBodyBytes, maxRpcNameBytes } from './rpc/messages.ts';
export type { CallChannel, RpcErrorKind, RpcInput, RpcOutput } from './rpc/messages.ts';
export { RpcClient, RpcError } from './rpc/rpc-client.ts';
export { serveRpc } from './rpc/serve-rpc.ts';
export type { InputReader, InputReservation, RpcExecute, RpcServing } from './rpc/serve-rpc.ts';
export { splice } from './splice.ts';
export type { Transport, TransportListener } from './transport.ts';
export { MemoryScheduler, MemoryTransport } from './transports/memory.ts';
export type { MemoryPairOptions } from './transports/memory.ts';
export { coalesceWrites } from './coalesce-writes.ts';
export type { CorkableSocket } from './coalesce-writes.ts';
export { WebSocketReader } from './transports/web-socket/reader.ts';
export type { ReaderSettings, ReaderSink } from './transports/web-socket/reader.ts';
export { WebSocketTransport } from './transports/web-socket/transport.ts';
export type { SocketLike, WebSocketSettings } from './transports/web-socket/transport.ts';
