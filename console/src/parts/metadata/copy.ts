import { catalogue } from '../../copy/catalogue.ts';

/** The texts of metadata, and of a value that is edited. */
export const metadataCopy = catalogue('metadata', {
  title: 'Metadata',
  empty: 'No metadata.',
  loading: 'Loading metadata...',
  add: 'Add metadata',
  edit: (key: string) => `Edit ${key}`,
  hint: 'JSON, or plain text. Nothing removes it.',
  key: 'Key',
  keyMissing: 'Enter a key.',
  value: 'Value',
  save: 'Save',
});
