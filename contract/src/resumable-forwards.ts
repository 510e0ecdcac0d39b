/** The word in the Hello info of an agent that serves the endpoint of resumable forwards. Others may end at an endpoint that they do not know. */
const capability = 'resumable-forwards';

/** How agents say that they can resume forwards, and the endpoint of such a forward on a device. */
export const resumableForwards = {
  /** The Hello info of an agent that can. */
  infoOf: (program: string): string => `${program} ${capability}`,
  /** Whether a Hello info says so. */
  isIn: (info: string): boolean => info.split(' ').includes(capability),
  /** The endpoint of a port on a device. */
  endpointOf: (port: number): string => `resumable/tcp/${port}`,
  /** Whether an endpoint on a device is one of a resumable forward. */
  isEndpoint: (endpoint: string): boolean => endpoint.startsWith('resumable/'),
} as const;
