import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { findGo, findOrBuildGoProgram, goProgramFolder } from './go-program.ts';

const version = '0.165.0';
const neededGo = [1, 25] as const;
const need = 'The test with a collector of OpenTelemetry needs one';

/** What the collector is made of: it receives by OTLP, and sends by it to the test. */
const manifest = `dist:
  name: otelcol
  module: corral/otelcol
  version: ${version}
receivers:
  - gomod: go.opentelemetry.io/collector/receiver/otlpreceiver v${version}
exporters:
  - gomod: go.opentelemetry.io/collector/exporter/otlphttpexporter v${version}
providers:
  - gomod: go.opentelemetry.io/collector/confmap/provider/yamlprovider v1.71.0
conf_resolver:
  default_uri_scheme: yaml
`;

/**
 * The path of a collector of OpenTelemetry in the user's cache folder, where the project's own builder makes it once, which takes some minutes. Undefined without Go 1.25 or newer, and where its
 * modules cannot be had.
 */
export function findOrBuildOtelCollector(env: NodeJS.ProcessEnv = process.env): string | undefined {
  const program = join(goProgramFolder('otelcol', version, env), 'otelcol');
  if (existsSync(program)) return program;
  const go = findGo(need, neededGo, env);
  const builder = go && builderOf(env);
  if (go === undefined || builder === undefined) return undefined;
  process.stderr.write(`${need}: building version ${version} ...\n`);
  mkdirSync(dirname(program), { recursive: true });
  const building = mkdtempSync(join(dirname(program), 'building-'));
  try {
    writeFileSync(
      join(building, 'manifest.yaml'),
      manifest.replace('dist:\n', `dist:\n  go: ${go}\n  output_path: ${building}/out\n`),
    );
    const { status } = spawnSync(builder, ['--config', join(building, 'manifest.yaml')], {
      stdio: ['ignore', 2, 2],
      env: { ...env, GOTOOLCHAIN: 'local', CGO_ENABLED: '0' },
    });
    if (status !== 0) return undefined;
    renameSync(join(building, 'out/otelcol'), program);
    return program;
  } finally {
    rmSync(building, { recursive: true, force: true });
  }
}

function builderOf(env: NodeJS.ProcessEnv): string | undefined {
  try {
    return findOrBuildGoProgram(
      { name: 'builder', module: 'go.opentelemetry.io/collector/cmd/builder', version, neededGo, need },
      env,
    );
  } catch {
    return undefined;
  }
}
