import type { ReactNode } from 'react'
import shared from './shared.module.css'

/** What to do, one step after the other. */
export const Guide = ({ children }: { children: ReactNode }) => <ol className={shared.guide}>{children}</ol>

interface StepProps {
  what: string
  how: string
  children?: ReactNode
}

export const Step = ({ what, how, children }: StepProps) => (
  <li>
    <strong>{what}</strong>
    <p>{how}</p>
    {children}
  </li>
)
