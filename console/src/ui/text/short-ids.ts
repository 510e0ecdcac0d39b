import { createContext } from 'react';

/** How many characters the id tags within show at most, because there is little room for them. */
export const ShortIds = createContext(Infinity);
