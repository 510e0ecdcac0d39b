import { expect, test } from 'vitest';
import {
  auditLogActionStatus,
  deviceCertificateStatus,
  deviceEventSeverity,
  deviceStatus,
} from '../enums.ts';
import { commandFields, deviceFields, eventFields } from './list-fields.ts';

test('a field with choices offers each value that it can have', () => {
  expect(deviceFields.named['status']?.choices).toEqual(deviceStatus.options);
  expect(deviceFields.named['cert']?.choices).toEqual(
    deviceCertificateStatus.options.map((status) => status.toLowerCase()),
  );
  expect(eventFields.named['severity']?.choices).toEqual(deviceEventSeverity.options);
  expect(commandFields.named['status']?.choices).toEqual(auditLogActionStatus.options);
});
