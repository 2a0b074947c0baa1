import { Component, type ComponentChildren, type ComponentType, Fragment } from 'preact';
import { ApiError } from '../api/client.ts';
import { Problem } from './Problem.tsx';

type Props = {
  children: ComponentChildren;
  /** Drawn around the message, when the part includes its own frame. */
  frame?: ComponentType<{ children: ComponentChildren }>;
};
type State = {
  /** The children that the fault is of. */
  of?: ComponentChildren;
  hasFailed?: boolean;
};

/** Keeps a fault in drawing one part of a page from the other parts. What is drawn next may be drawable again. */
export class Boundary extends Component<Props, State> {
  static override getDerivedStateFromProps({ children }: Props, { of }: State): State | null {
    return children === of ? null : { of: children, hasFailed: false };
  }

  static override getDerivedStateFromError(error: unknown): State {
    console.error(error);
    return { hasFailed: true };
  }

  override render({ children, frame: Around = Fragment }: Props, { hasFailed }: State): ComponentChildren {
    if (!hasFailed) return children;
    return (
      <Around>
        <Problem
          fault={new ApiError(-1, 'BUG', 'This part of the page could not be shown.')}
          onRetry={() => this.setState({ hasFailed: false })}
        />
      </Around>
    );
  }
}
