import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findOrInstall } from '../../system-program.ts';
import { runTool } from '../run-tool.ts';
import { unpackImage, type ImageConfig } from '../verify/unpack.ts';
import { startProgram, type RunningProgram } from './programs.ts';

/** The image of a release, unpacked. */
export interface Image {
  /** The folder of its files. */
  readonly root: string;
  readonly config: ImageConfig;
}

/** How a container of an image is run: without capabilities, and read-only unless its root is a copy. */
export interface ContainerPlan {
  readonly name: string;
  readonly image: Image;
  /** A folder for its description. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  readonly user?: { readonly uid: number; readonly gid: number };
  /** The program; that of the image by default. */
  readonly args?: readonly string[];
  /** The folder that is its volume; without one, what it writes is lost with it. */
  readonly data?: string;
  /** A copy of the image that it may write to. */
  readonly writableRoot?: string;
  /** The path of a network namespace; the network of the machine by default. */
  readonly network?: string;
  readonly hostsFile?: string;
}

/** Unpacks an archive in the layout of OCI below an empty folder. */
export function unpackInto(archive: string, folder: string): Image {
  const root = join(folder, 'rootfs');
  return { root, config: unpackImage(archive, root, folder) };
}

/** The path of runc. */
function findRunc(): string {
  return findOrInstall({
    names: ['runc'],
    places: ['/usr/sbin/runc'],
    probe: ['--version'],
    variable: 'CORRAL_RUNC',
    debianPackage: 'runc',
    need: 'The trial of an image needs runc',
  });
}

/** Starts a container with runc; its exit code is that of process 1. */
export function startContainer(plan: ContainerPlan): RunningProgram {
  const bundle = join(plan.folder, plan.name);
  mkdirSync(bundle, { recursive: true });
  writeFileSync(join(bundle, 'config.json'), JSON.stringify(runtimeConfig(plan)));
  return startProgram([findRunc(), ['run', '--bundle', bundle, plan.name]]);
}

/** Ends a container as the loss of its machine does. */
export function killContainer(name: string): void {
  runTool(findRunc(), ['kill', name, 'KILL'], '/');
}

/** Runs a program in a running container, and returns its output. Throws if it fails. */
export function runInContainer(name: string, ...args: string[]): string {
  return runTool(findRunc(), ['exec', name, ...args], '/');
}

/** What `--read-only --user 12345:0 --cap-drop all --network host` with a volume means to runc. */
function runtimeConfig(plan: ContainerPlan): object {
  const { image, env, user, args, data, writableRoot, network, hostsFile } = plan;
  const mount = (destination: string, type: string, options: string[], source = type): object => ({
    destination,
    type,
    source,
    options,
  });
  const bind = (destination: string, source: string | undefined, mode: string): object[] =>
    source === undefined ? [] : [mount(destination, 'bind', ['bind', mode], source)];
  return {
    ociVersion: '1.0.2',
    process: {
      user: user ?? { uid: 12_345, gid: 0 },
      args: args ?? image.config.Entrypoint,
      env: [...image.config.Env, ...Object.entries(env).map(([name, value]) => `${name}=${value}`)],
      cwd: '/',
      noNewPrivileges: true,
    },
    root: { path: writableRoot ?? image.root, readonly: writableRoot === undefined },
    mounts: [
      mount('/proc', 'proc', []),
      mount('/dev', 'tmpfs', ['nosuid', 'mode=755']),
      mount('/dev/shm', 'tmpfs', ['mode=1777']),
      mount('/tmp', 'tmpfs', ['mode=1777']),
      ...bind('/var/lib/corral', data, 'rw'),
      ...bind('/etc/hosts', hostsFile, 'ro'),
    ],
    linux: {
      namespaces: [
        ...['pid', 'ipc', 'uts', 'mount'].map((type) => ({ type })),
        ...(network === undefined ? [] : [{ type: 'network', path: network }]),
      ],
    },
  };
}
