import { z } from 'zod';

const label = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
/** A domain of at least two labels, optionally with a port; converted to lower case. */
export const proxyDomain = z
  .string()
  .transform((value) => value.toLowerCase())
  .refine(
    (value) => value.length <= 180 && new RegExp(`^${label}(?:\\.${label})+(?::[1-9]\\d{0,4})?$`).test(value),
    'must be a domain such as devices.example, without a scheme, and with a port if browsers need one',
  );

/** A comma-separated list of host names; converted to lower case. */
export const hostNames = z
  .string()
  .transform((list) =>
    list
      .toLowerCase()
      .split(/[\s,]+/)
      .filter((name) => name !== ''),
  )
  .refine(
    (list) => list.every((name) => new RegExp(`^${label}(?:\\.${label})*$`).test(name)),
    'must be host names such as hub.lan, separated by commas',
  );
