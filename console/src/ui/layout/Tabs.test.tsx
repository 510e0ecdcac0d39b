import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, it } from 'vitest';
import { Tabs } from './Tabs.tsx';

function Systems() {
  const [value, setValue] = useState<'linux' | 'windows'>('linux');
  return (
    <Tabs
      label="System"
      tabs={[
        { value: 'linux', label: 'Linux', content: 'curl' },
        { value: 'windows', label: 'Windows', content: 'winget' },
      ]}
      {...{ value }}
      onValueChange={setValue}
    />
  );
}

it('is one Tab stop, moves by arrow keys, and shows the panel of the selected tab', async () => {
  const user = userEvent.setup();
  render(<Systems />);
  await user.tab();
  expect(screen.getByRole('tab', { name: 'Linux' })).toHaveFocus();
  expect(screen.getByRole('tabpanel')).toHaveTextContent('curl');
  await user.keyboard('{ArrowRight}');
  expect(screen.getByRole('tab', { name: 'Windows' })).toHaveFocus();
  await user.keyboard('{Enter}');
  expect(screen.getByRole('tabpanel', { name: 'Windows' })).toHaveTextContent('winget');
});
