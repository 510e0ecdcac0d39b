import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Ajv } from 'ajv';

const require = createRequire(import.meta.url);
const library = dirname(require.resolve('@cyclonedx/cyclonedx-library/package.json'));

/** A schema as the authors of CycloneDX publish it. */
const schema = <Schema extends object>(name: string): Schema =>
  JSON.parse(readFileSync(join(library, 'res/schema', `${name}.SNAPSHOT.schema.json`), 'utf8')) as Schema;

/** The identifiers of licences that CycloneDX knows. */
export const spdxLicences = (): readonly string[] => schema<{ enum: string[] }>('spdx').enum;

/** What of a bill is against the schema of CycloneDX 1.6; empty if nothing is. */
export function problemsOfSchema(bill: unknown): string[] {
  const anything = true;
  const ajv = new Ajv({
    allErrors: true,
    strict: false,
    formats: { 'idn-email': anything, 'iri-reference': anything, uri: anything },
  });
  ajv.addFormat('date-time', (text: string) => !Number.isNaN(Date.parse(text)));
  for (const name of ['spdx', 'jsf-0.82', 'cryptography-defs'])
    ajv.addSchema(schema(name), `http://cyclonedx.org/schema/${name}.SNAPSHOT.schema.json`);
  const isValid = ajv.compile(schema('bom-1.6'));
  if (isValid(bill)) return [];
  return (isValid.errors ?? []).map(({ instancePath, message = '' }) => `${instancePath} ${message}`);
}
