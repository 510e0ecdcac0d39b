import type { AnswerTable } from '@corral/client';
import { ActionError, type CallInput, deviceFields, FilterError } from '@corral/contract';
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { devices, projectAnswers, projectId } from '../../../test/project-answers.ts';
import { renderConsole } from '../../../test/render-console.tsx';
import { hasConditions } from '../../parts/has-conditions.ts';
import { maxFilterNames } from '../../parts/device-filter/queries.ts';

const address = `/projects/${projectId}/devices`;
const field = () => screen.findByRole<HTMLInputElement>('combobox', { name: 'Filter by name or ID' });
const options = () => screen.getAllByRole('option').map(({ children }) => children[0]?.textContent);

/** The names that the table lists. */
async function listed(): Promise<(string | null)[]> {
  const table = await screen.findByRole('table', { name: 'Devices' });
  return within(table)
    .getAllByRole('link', { name: /^View/ })
    .map((link) => link.textContent);
}

/** What the page says of the filter; screen readers are told the same elsewhere. */
const said = (sentence: string) => screen.findByText(sentence, { selector: 'p' });
const marked = () => document.querySelector('mark')?.textContent;

/** A hub that knows the property `site.region`, by which it finds the crane. */
function hub(more: AnswerTable = {}) {
  const filters: (string | undefined)[] = [];
  const answers: AnswerTable = {
    ...projectAnswers,
    projects_QueryFilterFields: () => ({ names: ['label.ring', 'site.region'] }),
    projects_QueryProjectDevices: ({ filter }: CallInput<'projects_QueryProjectDevices'>) => {
      filters.push(filter);
      const unknown = filter?.indexOf('siet') ?? -1;
      if (unknown >= 0) throw new FilterError('there is no field "siet". Did you mean site.region?', unknown);
      return { devices: filter === undefined ? devices : devices.slice(0, 1) };
    },
    ...more,
  };
  return { filters, answers };
}

describe('while the user types', () => {
  test('fields, properties and values are completed, and the filter is applied', async () => {
    const { filters, answers } = hub();
    const { user, address: at } = renderConsole(address, answers);
    await user.type(await field(), 'host');
    expect(options()).toEqual(['hostname']);
    expect(screen.getByRole('option')).toHaveTextContent('name that the device reports');
    await user.keyboard('{ArrowDown}{Enter}crane');
    expect(await field()).toHaveValue('hostname:crane');
    await waitFor(() => expect(at()).toBe(`${address}?q=hostname%3Acrane`));
    await waitFor(async () => expect(await listed()).toHaveLength(1));
    expect(filters).toContain('hostname:crane');
    await user.keyboard(' reg');
    await waitFor(() => expect(options()).toEqual(['site.region']));
    await user.keyboard('{ArrowDown}{Tab}north status:');
    expect(options()).toEqual(['healthy', 'warning', 'error', 'offline']);
    await user.click(screen.getByRole('option', { name: 'error' }));
    expect(await field()).toHaveValue('hostname:crane site.region:north status:error');
  });

  test('clearing a filter that nothing matched keeps the focus in the field', async () => {
    const { answers } = hub({
      projects_QueryProjectDevices: ({ filter }) => ({ devices: filter === undefined ? devices : [] }),
    });
    const { user } = renderConsole(address, answers);
    await user.type(await field(), 'hostname:nobody');
    expect(await screen.findByText('Nothing matches')).toBeVisible();
    await user.keyboard('{Escape}');
    expect(await field()).toHaveFocus();
    await waitFor(async () => expect(await listed()).toHaveLength(3));
    expect(await field()).toHaveFocus();
  });

  test('where there are many names, those that begin like the last word are asked for', async () => {
    const many = Array.from({ length: maxFilterNames }, (_, index) => `a${index}`);
    const { answers } = hub({
      projects_QueryFilterFields: ({ prefix }) => ({ names: prefix === 'zo' ? ['zone'] : many }),
    });
    const { user } = renderConsole(address, answers);
    await user.type(await field(), 'x (zo');
    await waitFor(() => expect(options()).toEqual(['zone']));
  });

  test('the fixed names are completed when the hub cannot be reached, and words search as ever', async () => {
    const { answers } = hub({
      projects_QueryFilterFields: () => {
        throw new ActionError('NotReady', 'The hub cannot be reached.');
      },
    });
    const { user } = renderConsole(address, answers);
    await user.type(await field(), 'a');
    expect(options()).toEqual(['age', 'arch', 'agent']);
    await user.keyboard('{Backspace}crane');
    await waitFor(async () => expect(await listed()).toHaveLength(1));
    expect(screen.queryByRole('option')).toBeNull();
  });
});

describe('a mistake in the filter', () => {
  test('is shown at its place without the hub, and the devices stay', async () => {
    const { filters, answers } = hub();
    const { user } = renderConsole(address, answers);
    await user.type(await field(), 'site.region:north');
    await waitFor(async () => expect(await listed()).toHaveLength(1));
    await user.keyboard(' offline:7d');
    const sentence =
      'The filter has a mistake at character 19: "offline" can be compared by <, <=, > and >= only.';
    expect(await said(sentence)).toBeVisible();
    expect(marked()).toBe('offline');
    expect(await screen.findByText(sentence, { selector: '[role=status]' })).toBeInTheDocument();
    expect(await field()).toBeInvalid();
    expect(await field()).toHaveAccessibleDescription(sentence);
    expect(await listed()).toHaveLength(1);
    expect(filters.filter((filter) => filter?.includes('7d'))).toEqual([]);
    expect(screen.queryByText('Nothing matches')).toBeNull();
    expect(document.querySelector('[role=alert]')).toBeNull();
    await user.keyboard('{Escape}');
    await waitFor(async () => expect(await field()).toBeValid());
    expect(marked()).toBeUndefined();
    await waitFor(async () => expect(await listed()).toHaveLength(3));
  });

  test('that only the hub knows is shown at its place in what was typed', async () => {
    const { filters, answers } = hub();
    const { user } = renderConsole(`${address}?status=connected&q=siet%3Anorth`, answers);
    const sentence =
      'The filter has a mistake at character 1: there is no field "siet". Did you mean site.region?';
    expect(await said(sentence)).toBeVisible();
    expect(filters).toContain('connected (siet:north)');
    expect(marked()).toBe('siet');
    expect(await field()).toHaveAccessibleDescription(sentence);
    expect(await listed()).toHaveLength(2);
    expect(screen.queryByText('Nothing matches')).toBeNull();
    await user.clear(await field());
    await waitFor(() => expect(marked()).toBeUndefined());
  });

  test('is not shown while the suggestions show, since the text is not finished', async () => {
    const { answers } = hub();
    const { user, address: at } = renderConsole(address, answers);
    await user.type(await field(), 'status:');
    await waitFor(() => expect(at()).toContain('status%3A'));
    expect(await field()).toBeValid();
    expect(await listed()).toHaveLength(3);
    await user.keyboard('{Escape}');
    expect(
      await said('The filter has a mistake at character 8: the value of "status" is missing here.'),
    ).toBeVisible();
    expect(await field()).toHaveValue('status:');
  });
});

describe('a short list', () => {
  test.each([
    'connected',
    'Connected',
    '-crane',
    'crane or gate',
    'crane and gate',
    '"north gate"',
    'crane*',
    'all',
    '(crane)',
  ])('leaves %s to the hub, for which it is more than words', (filter) =>
    expect(hasConditions(filter, deviceFields)).toBe(true),
  );

  test.each(['crane', ' north  gate', 'nor', 'not', '19"', 'crane ('])(
    'looks for the words of %s itself',
    (filter) => expect(hasConditions(filter, deviceFields)).toBe(false),
  );
});
