import { firstDevices } from '../data/queries-projects.ts';

/** The number of rows that a long list reads at first, and further ones at a time. */
export const rowsPerPage = firstDevices;
/** No list shows more rows. */
export const maxRows = 10_000;
