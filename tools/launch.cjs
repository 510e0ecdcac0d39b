'use strict';

/*
 * Every npm script of this repository starts here. The file is plain JavaScript for old versions of Node and imports only
 * Node's own modules, because it runs before anything is installed. It installs the libraries if they are missing or
 * outdated, chooses a Node that runs TypeScript directly, and runs the script with it.
 */

const { spawn, spawnSync } = require('child_process');
const { createHash } = require('crypto');
const { existsSync, readFileSync, writeFileSync } = require('fs');
const { constants } = require('os');
const { delimiter, join, resolve } = require('path');
const { pathToFileURL } = require('url');

const root = resolve(__dirname, '..');
const neededNode = [22, 19];

/** What each command runs: a script of the repository, fixed arguments, and whether the console and the downloads must be built first. */
const commands = {
  // A small young generation: thousands of idle connections then cost a fifth of the memory, at the same speed.
  start: { script: 'hub/src/main.ts', needsBuild: true, nodeOptions: ['--max-semi-space-size=8'] },
  dev: { script: 'tools/dev.ts' },
  test: { script: 'tools/test.ts' },
  'test:deep': { script: 'tools/test-deep.ts' },
  check: { script: 'tools/check.ts' },
  bench: { script: 'bench/src/main.ts' },
  fuzz: { script: 'fuzz/src/main.ts' },
  format: { script: 'node_modules/oxfmt/bin/oxfmt', otherwise: ['.'] },
  generate: { script: 'tools/generate.ts' },
  release: { script: 'tools/release/release.ts' },
  site: { script: 'tools/site/site.ts' },
  'dev-certificate': { script: 'tools/dev-certificate.ts' },
  cluster: { script: 'tools/cluster.ts', needsBuild: true },
};

/** Compares a version such as "v22.19.0" with the oldest Node that runs the hub and its libraries. */
function isRecentEnough(version) {
  const [major, minor] = version.replace(/^v/, '').split('.').map(Number);
  return major > neededNode[0] || (major === neededNode[0] && minor >= neededNode[1]);
}

/** The version that an executable reports, or an empty string if it does not run here. */
function versionOf(executable) {
  const answer = spawnSync(executable, ['--version'], { encoding: 'utf8' });
  return answer.status === 0 ? answer.stdout.trim() : '';
}

/** The first Node of the list that runs and is recent enough; undefined if there is none. */
function chooseNode(candidates) {
  return candidates.find((candidate) => isRecentEnough(versionOf(candidate) || 'v0.0'));
}

function fail(sentence) {
  process.stderr.write(sentence + '\n');
  process.exit(1);
}

function readJson(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}

function suitsThisMachine(entry) {
  const allows = (list, value) => !list || list.includes(value);
  return allows(entry.os, process.platform) && allows(entry.cpu, process.arch) && !entry.libc;
}

/** True if npm's record of node_modules has every package of the lock file that is for this machine. */
function isInstalled(lock, record) {
  if (!lock || !record) return false;
  return Object.keys(lock.packages).every((path) => {
    const wanted = lock.packages[path];
    if (!path.includes('node_modules/') || !suitsThisMachine(wanted)) return true;
    const found = record.packages[path];
    return found ? found.version === wanted.version : Boolean(wanted.optional && !wanted.os);
  });
}

function hashOf(path) {
  return createHash('sha256').update(readFileSync(path)).digest('hex');
}

/** The stamp file avoids repeated installs when an optional package for this machine is unavailable. */
function isUpToDate(folder) {
  const lockPath = join(folder, 'package-lock.json');
  const stampPath = join(folder, 'node_modules/.corral-install');
  const recordPath = join(folder, 'node_modules/.package-lock.json');
  if (!existsSync(recordPath)) return false;
  if (existsSync(stampPath) && readFileSync(stampPath, 'utf8') === hashOf(lockPath)) return true;
  return isInstalled(readJson(lockPath), readJson(recordPath));
}

/** The parent of a process and its name on Linux; undefined elsewhere. */
function parentOf(pid) {
  try {
    const [, name, parent] = /\((.*)\) \S (\d+)/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'));
    return { name, parent };
  } catch {
    return undefined;
  }
}

/** The processes between this one and npm, and npm itself: npm may run a script through a shell. */
function npmAncestors() {
  const above = parentOf(process.ppid);
  const isShell = above !== undefined && /^(?:ba|da)?sh$/.test(above.name);
  return `${process.ppid} ${isShell ? above.parent : ''}`;
}

/** Calls back once npm or its shell has ended, of which this process gets no signal. Returns a function that stops looking. */
function whenNpmEnds(callback) {
  if (!process.env.npm_lifecycle_event) return () => {};
  const before = npmAncestors();
  const timer = setInterval(() => {
    if (npmAncestors() === before) return;
    clearInterval(timer);
    callback();
  }, 500);
  return () => clearInterval(timer);
}

/**
 * Runs a program in a process group of its own and resolves to its exit code. A Ctrl-C in a terminal reaches this process
 * alone (and a second time through npm), so the program gets each signal once.
 */
function run(executable, args, options) {
  return new Promise((done, failed) => {
    const child = spawn(executable, args, Object.assign({ cwd: root, detached: true }, options));
    const lastSentAt = {};
    const forward = (signal) => {
      const now = Date.now();
      if (now - (lastSentAt[signal] || 0) < 500) return;
      lastSentAt[signal] = now;
      child.kill(signal);
    };
    process.on('SIGINT', forward);
    process.on('SIGTERM', forward);
    const stopLooking = whenNpmEnds(() => forward('SIGTERM'));
    child.on('error', failed);
    child.on('exit', (code, signal) => {
      stopLooking();
      process.removeListener('SIGINT', forward);
      process.removeListener('SIGTERM', forward);
      done(signal ? 128 + constants.signals[signal] : code);
    });
  });
}

/** The npm that runs this script, otherwise the npm in PATH. */
function npmCommand() {
  const script = process.env.npm_execpath;
  if (script && /npm-cli\.c?js$/.test(script) && existsSync(script)) return [process.execPath, [script]];
  return ['npm', []];
}

async function install() {
  const [npm, before] = npmCommand();
  const version = spawnSync(npm, before.concat('--version'), { encoding: 'utf8' });
  if (version.status !== 0)
    fail(
      'Corral needs npm to install its libraries: install Node.js 22.19 or newer together with npm, then run this command again.',
    );
  if (parseInt(version.stdout, 10) < 7)
    fail(
      `Corral needs npm 7 or newer to install its libraries, and this is npm ${version.stdout.trim()}: install a newer Node.js.`,
    );
  process.stderr.write('Installing the libraries of package-lock.json (about a minute, once) ...\n');
  const startedAt = Date.now();
  const args = before.concat('ci', '--no-audit', '--no-fund', '--loglevel=error');
  const env = Object.assign({}, process.env, { npm_config_ignore_scripts: 'true' });
  // npm's output goes to stderr, so that stdout has only the command's own output.
  const code = await run(npm, args, { env, stdio: ['ignore', 2, 2] });
  if (code > 128) process.exit(code);
  if (code !== 0)
    fail(
      "The libraries could not be installed: see npm's message above, check that the package registry can be reached, then run this command again.",
    );
  writeFileSync(join(root, 'node_modules/.corral-install'), hashOf(join(root, 'package-lock.json')));
  process.stderr.write(`Installed in ${Math.round((Date.now() - startedAt) / 1000)} s.\n`);
}

function environment(bin) {
  const path = process.env.PATH ? bin + delimiter + process.env.PATH : bin;
  return Object.assign({}, process.env, { PATH: path, CORRAL_LAUNCHER_PID: String(process.pid) });
}

/** Runs a script of the repository with the given Node; the channel tells the script when this process is gone. */
function runScript(node, script, args, nodeOptions) {
  const follow = pathToFileURL(join(__dirname, 'follow-launcher.ts')).href;
  return run(node, (nodeOptions || []).concat('--import', follow, join(root, script), args), {
    env: environment(join(root, 'node_modules/.bin')),
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
}

async function main(name, args) {
  const command = Object.prototype.hasOwnProperty.call(commands, name || '') ? commands[name] : undefined;
  if (!command) fail(`Say which command to run: ${Object.keys(commands).join(', ')}.`);
  if (!isUpToDate(root)) await install();
  const node = chooseNode([join(root, 'node_modules/.bin/node'), process.execPath]);
  if (!node)
    fail(
      `Corral needs Node.js 22.19 or newer; this is ${process.version}, and no Node among the libraries runs on this machine.`,
    );
  const isHelp = args.some((arg) => arg === '--help' || arg === '-h');
  if (command.needsBuild && !isHelp) {
    const code = await runScript(node, 'tools/build.ts', []);
    if (code !== 0) process.exit(code);
  }
  if (!existsSync(join(root, command.script)))
    fail(`This checkout is incomplete: ${command.script} is missing.`);
  const given = args.length > 0 ? args : command.otherwise || [];
  process.exit(await runScript(node, command.script, given, command.nodeOptions));
}

if (require.main === module) {
  main(process.argv[2], process.argv.slice(3)).catch((error) =>
    fail(`Corral could not be started: ${error.message}.`),
  );
}

module.exports = { chooseNode, isInstalled, isRecentEnough, isUpToDate, npmCommand };
