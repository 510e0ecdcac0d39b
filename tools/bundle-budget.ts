// `node tools/bundle-budget.ts [--record]`: compares the sizes of the built console with their budgets; --record stores the sizes.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { buildConsoleWhenStale } from './build-console.ts';
import { repositoryRoot } from './source-files.ts';

type Screens = Readonly<Record<string, readonly string[]>>;

/** The files of the build by their source, as Vite writes them. */
type Manifest = Readonly<Record<string, { file: string; name?: string; imports?: readonly string[] }>>;

/** Compressed sizes in bytes, by file name without the hash of the build. */
export type Sizes = Readonly<Record<string, number>>;

/** One budget and the measured size, in bytes. */
export interface MeasuredBudget {
  readonly name: string;
  readonly budgetBytes: number;
  readonly bytes: number;
  readonly parts: Sizes;
}

const kB = 1000;

// The code of a first screen: the scripts in index.html and the chunks that screens.json lists for it.
const firstScreens = {
  '/login': { budgetBytes: 152 * kB, screen: 'sign-in' },
  'the first signed-in screen': { budgetBytes: 230 * kB, screen: 'signed-in' },
} as const;

const kinds = {
  'all CSS': { budgetBytes: 19 * kB, ending: '.css' },
  'all fonts': { budgetBytes: 55 * kB, ending: '.woff2' },
} as const;

// The documents are a script each. docs/decisions/0078-budgets-of-the-console.md explains the figures.
const codeBudget = 765 * kB;
const documentsBudget = 130 * kB;
const isDocument = /\.md\?raw$/;

// What a route or the palette loads beside the first signed-in screen and the code that all pages share.
const routeBudget = 30 * kB;
const paletteBudget = 15 * kB;
const isRoute = /^src\/routes\/.*\?tsr-split=/;
const palette = 'src/shell/palette/CommandPalette.tsx';
const sharedByPages = 'pages';

/** Measures a built console against every budget. */
export function measureBudgets(folder: string): MeasuredBudget[] {
  const common = scriptsOf(readFileSync(join(folder, 'index.html'), 'utf8'));
  const screens = read<Screens>(folder, 'screens.json');
  const manifest = read<Manifest>(folder, '.vite/manifest.json');
  const measured: MeasuredBudget[] = [];
  const filesOf = (screen: string) => [
    ...new Set([...common, ...(screens[screen] ?? []).map((path) => path.slice(1))]),
  ];
  for (const [name, { budgetBytes, screen }] of Object.entries(firstScreens))
    measured.push(total(name, budgetBytes, folder, filesOf(screen)));
  measured.push(...measurePages(folder, manifest, filesOf('signed-in')));
  const files = readdirSync(join(folder, 'assets')).map((file) => `assets/${file}`);
  const documents = new Set(
    Object.entries(manifest).flatMap(([source, { file }]) => (isDocument.test(source) ? file : [])),
  );
  const code = files.filter((file) => file.endsWith('.js') && !documents.has(file));
  measured.push(
    total('all JavaScript without documents', codeBudget, folder, code),
    total('all documents', documentsBudget, folder, [...documents]),
  );
  for (const [name, { budgetBytes, ending }] of Object.entries(kinds)) {
    const ofKind = files.filter((file) => file.endsWith(ending));
    measured.push(total(name, budgetBytes, folder, ofKind));
  }
  return measured;
}

const read = <Content>(folder: string, file: string): Content =>
  JSON.parse(readFileSync(join(folder, file), 'utf8')) as Content;

/** The largest route and the palette, without the files that are loaded for every page. */
function measurePages(folder: string, manifest: Manifest, first: readonly string[]): MeasuredBudget[] {
  const sources = Object.keys(manifest);
  const shared = sources.filter((source) => manifest[source]?.name === sharedByPages);
  const loaded = new Set([...first, ...closure(manifest, shared)]);
  const measure = (name: string, budgetBytes: number, source: string) =>
    total(
      name,
      budgetBytes,
      folder,
      closure(manifest, [source]).filter((file) => !loaded.has(file)),
    );
  const routes = sources
    .filter((source) => isRoute.test(source))
    .map((source) => measure('the largest route', routeBudget, source))
    .sort((one, other) => other.bytes - one.bytes);
  return [...routes.slice(0, 1), measure('the palette', paletteBudget, palette)];
}

/** The files of the sources and of all that they import statically. */
function closure(manifest: Manifest, sources: readonly string[]): string[] {
  const seen = new Set<string>();
  const waiting = [...sources];
  for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
    if (seen.has(one)) continue;
    seen.add(one);
    waiting.push(...(manifest[one]?.imports ?? []));
  }
  return [...seen].flatMap((source) => manifest[source]?.file ?? []);
}

/** The scripts in index.html. */
function scriptsOf(page: string): string[] {
  return [...page.matchAll(/(?:src|href)="\/(assets\/[^"]+\.js)"/g)].map(([, file = '']) => file);
}

function total(name: string, budgetBytes: number, folder: string, files: readonly string[]): MeasuredBudget {
  const parts: Record<string, number> = {};
  for (const file of files) {
    const bytes = compressedBytes(join(folder, file));
    const stableName = nameWithoutHash(file);
    parts[stableName] = (parts[stableName] ?? 0) + bytes;
  }
  return { name, budgetBytes, parts, bytes: Object.values(parts).reduce((sum, bytes) => sum + bytes, 0) };
}

// Fonts are already compressed and are sent unchanged.
const compressedBytes = (path: string): number => {
  const content = readFileSync(path);
  return path.endsWith('.woff2') ? content.length : gzipSync(content, { level: 9 }).length;
};

const nameWithoutHash = (file: string): string =>
  file.replace(/^assets\//, '').replace(/-[\w-]{8}(?=\.\w+$)/, '');

/** One sentence for each budget that is exceeded; it names the files that grew most since `recorded`. */
export function exceeded(measured: readonly MeasuredBudget[], recorded: Sizes): string[] {
  return measured
    .filter(({ bytes, budgetBytes }) => bytes > budgetBytes)
    .map(({ name, bytes, budgetBytes, parts }) => {
      const grown = growth(parts, recorded);
      const details = grown.length > 0 ? `grown: ${grown.join(', ')}` : `largest: ${largest(parts)}`;
      return `${name} has ${formatKb(bytes)} of ${formatKb(budgetBytes)}; ${details}.`;
    });
}

function growth(parts: Sizes, recorded: Sizes): string[] {
  return Object.entries(parts)
    .map(([file, bytes]) => ({ file, bytes, more: bytes - (recorded[file] ?? 0) }))
    .filter(({ more }) => more > 100)
    .sort((one, other) => other.more - one.more)
    .slice(0, 3)
    .map(({ file, bytes, more }) =>
      recorded[file] === undefined
        ? `${file} is new with ${formatKb(bytes)}`
        : `${file} by ${formatKb(more)} to ${formatKb(bytes)}`,
    );
}

const largest = (parts: Sizes): string =>
  Object.entries(parts)
    .sort(([, one], [, other]) => other - one)
    .slice(0, 3)
    .map(([file, bytes]) => `${file} (${formatKb(bytes)})`)
    .join(', ');

const formatKb = (bytes: number): string => `${(bytes / kB).toFixed(1)} kB`;

const record = join(import.meta.dirname, 'bundle-sizes.json');

/** The sizes recorded last; empty if there is no record. */
export const recordedSizes = (): Sizes =>
  existsSync(record) ? (JSON.parse(readFileSync(record, 'utf8')) as Sizes) : {};

async function main(): Promise<void> {
  await buildConsoleWhenStale();
  const measured = measureBudgets(join(repositoryRoot, 'console/dist'));
  for (const { name, bytes, budgetBytes } of measured)
    process.stdout.write(`${formatKb(bytes).padStart(9)} of ${formatKb(budgetBytes).padStart(8)}  ${name}\n`);
  const sentences = exceeded(measured, recordedSizes());
  for (const sentence of sentences) process.stdout.write(`\n${sentence}\n`);
  if (process.argv.includes('--record')) {
    const sizes = Object.fromEntries(
      measured.flatMap(({ parts }) => Object.entries(parts)).sort(([one], [other]) => (one < other ? -1 : 1)),
    );
    writeFileSync(record, `${JSON.stringify(sizes, undefined, 2)}\n`);
  }
  process.exitCode = sentences.length === 0 ? 0 : 1;
}

if (import.meta.main) await main();
