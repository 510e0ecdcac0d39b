import { join } from 'node:path';
import { runTool } from './run-tool.ts';

/** Packs the folder `name` in a folder into a tar.gz, with its name unless another is given, of the same bytes wherever it is made: no user, no order of the disk, and one time for all files. */
export function packFolder(
  folder: string,
  name: string,
  into: string,
  epochSecs: number,
  archiveName = name,
): void {
  const archive = join(into, `${archiveName}.tar`);
  const options = ['--sort=name', '--owner=0', '--group=0', '--numeric-owner', '--format=gnu'];
  runTool(
    'tar',
    [...options, `--mtime=@${epochSecs}`, '--mode=u+rw,go+r,go-w,a+X', '-cf', archive, name],
    folder,
  );
  runTool('gzip', ['-n', archive], into);
}
