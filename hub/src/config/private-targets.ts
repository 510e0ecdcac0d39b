import { z } from 'zod';
import { isAddressRange } from './addresses.ts';
import { taking } from './value-schemas.ts';

/** A place inside the network of the hub to which it may connect. */
export interface PrivateTarget {
  /** A host name in lower case, an address or a range. */
  readonly place: string;
  /** Undefined: any. */
  readonly port: number | undefined;
}

const forms =
  'hosts, addresses or ranges, each with a port or *, such as idp.lan:8443, 10.0.0.0/8:9000 or [fd00::/8]:*, separated by commas';
const hostName = /^(?=.*[a-z])[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*$/;

function targetOf(text: string): PrivateTarget | undefined {
  const parts = /^(?:\[([^[\]]+)\]|([^[\]:]+)):(\*|\d{1,5})$/.exec(text.toLowerCase());
  const place = parts?.[1] ?? parts?.[2] ?? '';
  const isPlace = parts?.[1] === undefined && hostName.test(place) ? true : isAddressRange(place);
  const port = parts?.[3] === '*' ? undefined : Number(parts?.[3]);
  const isPort = port === undefined || (port >= 1 && port <= 65_535);
  return isPlace && isPort ? { place, port } : undefined;
}

/** A list of private targets. */
export const privateTargets = taking(
  forms,
  z.string().transform((list, context): PrivateTarget[] => {
    const targets = list
      .split(/[\s,]+/)
      .filter((text) => text !== '')
      .map(targetOf);
    if (targets.includes(undefined)) context.addIssue({ code: 'custom', message: `must be ${forms}` });
    return targets.filter((target) => target !== undefined);
  }),
);
