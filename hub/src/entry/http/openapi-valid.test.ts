import { openApiDocument } from '@corral/contract';
import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, test } from 'vitest';

test('the document is valid OpenAPI 3.1', async () => {
  const { valid, errors } = await new Validator().validate(structuredClone(openApiDocument('1.0.0')));
  expect(errors).toBeUndefined();
  expect(valid).toBe(true);
});
