import { catalogue } from '../../copy/catalogue.ts';
import { count } from '../../copy/count.ts';

const devices = (n: number) => count(n, 'device', 'devices');

/** The texts of operations that their pages and the page of a device share. */
export const operationCopy = catalogue('operation', {
  states: {
    Draft: 'Draft',
    Pending: 'Waiting',
    Running: 'Running',
    Paused: 'Paused',
    Succeeded: 'Succeeded',
    Completed: 'Completed',
    Failed: 'Failed',
    TimedOut: 'Timed out',
    Cancelled: 'Cancelled',
    Skipped: 'Skipped',
  },
  outcomes: {
    NotDelivered: 'Not delivered',
    Interrupted: 'Interrupted',
    Unknown: 'Outcome unknown',
    Superseded: 'Superseded',
  },
  carriers: { Claim: 'asked for by the device', Channel: 'through a channel', Hub: 'by the hub' },
  steps: {
    command: (name: string) => `Run ${name}`,
    task: (name: string) => `Task ${name}`,
    set: (name: string) => `Set ${name}`,
    update: (name: string) => `Change ${name}`,
    remove: (name: string) => `Remove ${name}`,
    wait: 'Wait for the proof',
    bar: (done: number, of: number, state: string) => `Step ${done} of ${of}, ${state}`,
    number: (index: number) => `Step ${index + 1}`,
    notReached: 'not reached',
    input: 'Input',
    output: 'Output',
    checkpoint: 'Checkpoint',
    log: 'Log',
    predicate: 'Until',
    value: 'Value',
    when: 'Only if',
    took: (duration: string) => `took ${duration}`,
    runs: (duration: string) => `for ${duration}`,
    timeout: (duration: string) => `at most ${duration}`,
  },
  drawer: {
    gone: 'This operation is not known any more.',
    device: 'Device',
    operation: 'Operation',
    attempt: 'Attempt',
    started: 'Started',
    ended: 'Ended',
    waits: 'Waits until the device is connected and does nothing else',
    partOf: 'Part of',
    wholeOperation: 'the operation on the fleet',
    outcome: 'Outcome',
    cancel: 'Cancel on this device',
    cancelTitle: 'Cancel on this device',
    cancelText: 'A command that already runs there goes on, and its result is recorded.',
    cancelled: 'Cancelled on this device',
  },
  form: {
    json: 'Input as JSON',
    jsonHint: 'The device says nothing of what the command takes.',
    jsonOfSchema: 'As JSON, as the device describes it.',
    otherForm:
      'What was typed belongs to a form that no device describes any more. Choose the command again.',
    leftOut: 'Empty: it is left out, and the device takes its default.',
    noInput: 'This command takes no input.',
    notJson: 'This is not JSON.',
    notNumber: 'This is not a number.',
    notInteger: 'This is not a whole number.',
    required: 'This is needed.',
    wrong: (message: string) => `This ${message}.`,
    wrongAt: (path: string, message: string) => `${path === '' ? 'The input' : path} ${message}.`,
  },
  needs: {
    paused: 'is paused',
    runs: 'runs',
    asked: (who: string | undefined) =>
      who === undefined ? 'waits for a start' : `· ${who} asks to start it`,
    why: {
      Owner: 'Only an owner may start it.',
      SecondPerson: 'It needs a second person.',
    },
    waits: (time: string) => `waits for its window, which opens at ${time}`,
    progress: (succeeded: number, total: number, failed: number) =>
      `${succeeded.toLocaleString('en')} of ${devices(total)} succeeded${failed === 0 ? '' : `, ${failed.toLocaleString('en')} failed`}`,
  },
});
