import { catalogue } from '../../copy/catalogue.ts';
import { count } from '../../copy/count.ts';

/** The texts of the assets of a repository. */
export const assetsCopy = catalogue('assets', {
  summary: (n: number, size: string) => `${count(n, 'asset', 'assets')}, ${size}`,
  columns: {
    name: 'Name',
    digest: 'Digest',
    size: 'Size',
    status: 'Status',
    uses: 'Files',
    created: 'Created At',
  },
  unused: 'not used',
  filter: 'Filter assets',
  csvName: 'assets',
  emptyTitle: 'No assets',
  emptyText:
    'An asset is the content of a file. It is stored once for all versions that use it. Assets are uploaded through the CLI and appear here.',
});
