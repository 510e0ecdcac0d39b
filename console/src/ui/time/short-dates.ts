import { createContext } from 'react';

/** Whether dates have a short month, as in the cells of tables; in prose they are written out. */
export const ShortDates = createContext(false);
