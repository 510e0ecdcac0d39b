const [mebibyte, megabyte, gigabyte] = [1024 ** 2, 10 ** 6, 10 ** 9];

/** How much is backed up: a fifth of it rows with their indexes, the others assets, half of them large. */
export interface BackupSizes {
  readonly totalBytes: number;
  readonly databaseBytes: number;
  readonly largeAssets: number;
  readonly largeBytes: number;
  readonly smallAssets: number;
  readonly smallBytes: number;
}

const smallBytes = mebibyte;

const reduced: BackupSizes = {
  totalBytes: gigabyte,
  databaseBytes: 200 * megabyte,
  largeAssets: 4,
  largeBytes: 100 * mebibyte,
  smallAssets: 363,
  smallBytes,
};

const full: BackupSizes = {
  totalBytes: 10 * gigabyte,
  databaseBytes: 2 * gigabyte,
  largeAssets: 4,
  largeBytes: 1024 * mebibyte,
  smallAssets: 3_534,
  smallBytes,
};

/** What this run backs up: by default what takes two minutes, and with CORRAL_BENCH_FULL=1 what the bar names. */
export const sizes: BackupSizes = process.env['CORRAL_BENCH_FULL'] === '1' ? full : reduced;
