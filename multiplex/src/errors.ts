/** The peer broke the protocol; the connection ends with `message` as the reason of the Close frame. */
export class ProtocolViolation extends Error {
  override readonly name = 'ProtocolViolation';
}

/** The peer rejected a channel; `message` is its readable reason. */
export class ChannelRejection extends Error {
  override readonly name = 'ChannelRejection';
}

/** A channel sends or receives no more bytes; `message` says why. */
export class ChannelClosure extends Error {
  override readonly name = 'ChannelClosure';
}

/** The connection has ended and opens no channel; `message` is the reason of its end. */
export class ConnectionClosure extends Error {
  override readonly name = 'ConnectionClosure';
}
