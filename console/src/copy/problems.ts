import { problemMessages } from '@corral/contract';
import { catalogue } from './catalogue.ts';

/** The sentences about typed texts, by problem; in English they are those of the hub. */
export const problemCopy = catalogue('problems', problemMessages);
