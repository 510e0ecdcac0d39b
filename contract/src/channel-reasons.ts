/** Why a hub or a device rejects a channel. The command line shows them to people, and other hubs and the HTTP proxy tell them apart. */
export const channelReasons = {
  deviceNotConnected: 'device not connected',
  deviceSilent: 'the device does not answer',
  hubNotReady: 'the hub is not ready',
  hubOfAnotherRelease:
    'the hub that the device is connected to runs a release that does not know this: try again when all hubs are updated',
  hubUnreachable: 'the hub that the device is connected to cannot be reached',
  notResumable: 'the device cannot resume connections',
  /** The rules CH7 and CH10 of the protocol name these two. */
  limitReached: 'connection channel limit reached',
  unknownEndpoint: 'unknown endpoint',
  portSilent: 'the port of the device does not answer',
} as const;

/** With what the Close of a connection begins that sends a device to another node of the hub. */
export const goElsewhere = 'go elsewhere';
