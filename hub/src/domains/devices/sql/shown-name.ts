import { sql } from 'kysely';

/** SQL of what a device `d` is called: its name, or else the hostname that it reported; null where it has neither. */
export const shownName = sql<string | null>`coalesce(d.name, d.hostname)`;

/** SQL of a text for a device `d`: what it is called, or else its id. */
export const deviceLabel = sql<string>`coalesce(d.name, d.hostname, 'd_' || d.device_id)`;
