import { Fragment, type ReactNode } from 'react';

/** A name or a piece of code that breaks after signs and before capitals rather than inside of words. */
export function BreakableName({ name }: { name: string }): ReactNode {
  return name.split(/(?<=[_/.:=@,])|(?<=[a-z])(?=[A-Z])/u).map((part, index) => (
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ));
}
