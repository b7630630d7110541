import { Component, type ReactNode } from 'react'

interface BoundaryProps {
  children: ReactNode
  /** What stands there instead of something that broke. */
  instead: (error: unknown) => ReactNode
  onBroken?: (error: unknown) => void
  /** Of another one it is tried again. */
  of?: string
}

interface BoundaryState {
  broken: { error: unknown; of: string | undefined | null } | null
}

/** Keeps what breaks inside of it from taking the rest of the page along. */
export class Boundary extends Component<BoundaryProps, BoundaryState> {
  override state: BoundaryState = { broken: null }

  static getDerivedStateFromError(error: unknown): BoundaryState {
    return { broken: { error, of: null } }
  }

  static getDerivedStateFromProps({ of }: BoundaryProps, { broken }: BoundaryState): BoundaryState | null {
    if (broken === null || broken.of === of) return null
    return { broken: broken.of === null ? { ...broken, of } : null }
  }

  override componentDidCatch(error: unknown): void {
    this.props.onBroken?.(error)
  }

  override render(): ReactNode {
    const { broken } = this.state
    return broken ? this.props.instead(broken.error) : this.props.children
  }
}
