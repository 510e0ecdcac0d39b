import { ArrowRight, Plus, RotateCw, Trash2 } from 'lucide-react';
import { Button } from '../../ui/action/Button.tsx';
import { ButtonLink } from '../../ui/action/ButtonLink.tsx';
import { ThemeSwitch } from '../../ui/action/ThemeSwitch.tsx';
import { NavLink } from '../../ui/layout/NavLink.tsx';
import { CopyButton } from '../../ui/text/CopyButton.tsx';
import { TextLink } from '../../ui/text/TextLink.tsx';
import { Row } from './Row.tsx';
import { Specimen } from './Specimen.tsx';

const variants = ['primary', 'outlined', 'secondary', 'quiet', 'danger'] as const;

/** Buttons in every variant, size and state. */
export function ButtonSpecimens() {
  return (
    <Specimen title="Buttons" meta="one primary a screen">
      <Row caption="Variants">
        <Button variant="primary" icon={<Plus size={15} aria-hidden />}>
          Connect a device
        </Button>
        <Button>Reject</Button>
        <Button variant="quiet">Show Error</Button>
        <Button variant="danger" icon={<Trash2 size={15} aria-hidden />}>
          Delete project
        </Button>
        <ButtonLink render={<a href="#buttons" />} iconEnd={<ArrowRight size={15} aria-hidden />}>
          View
        </ButtonLink>
        <TextLink render={<a href="#buttons" />}>All events</TextLink>
      </Row>
      <Row caption="Sizes">
        <Button size="small">Small</Button>
        <Button>Medium</Button>
        <Button size="large" variant="primary">
          Large
        </Button>
        <Button icon={<RotateCw size={15} aria-hidden />} label="Retry" />
        <Button size="small" icon={<RotateCw size={14} aria-hidden />} label="Retry now" />
      </Row>
      <Row caption="Loading">
        {variants.map((variant) => (
          <Button key={variant} variant={variant} loading>
            Working on it
          </Button>
        ))}
      </Row>
      <Row caption="Disabled, with its reason in a hint">
        {variants.map((variant) => (
          <Button key={variant} variant={variant} disabledReason="Only an owner may do this">
            {variant}
          </Button>
        ))}
        <Button variant="primary" disabled>
          Submit of an invalid form
        </Button>
      </Row>
      <Row caption="Links of the header">
        <NavLink render={<a href="#buttons" aria-current="page" />}>Projects</NavLink>
        <NavLink render={<a href="#buttons" />}>Repositories</NavLink>
      </Row>
      <Row caption="Copy and theme">
        <CopyButton text="corral-agent run" what="command" />
        <CopyButton text="corral-agent run" what="agent command" isIconOnly />
        <ThemeSwitch />
      </Row>
    </Specimen>
  );
}
