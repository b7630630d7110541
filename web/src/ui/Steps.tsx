import { Center } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import shared from './shared.module.css'
import styles from './Steps.module.css'

/** Where one stands in a row of steps. */
export function Steps({ steps, current, label }: { steps: string[]; current: number; label: string }) {
  return (
    <ol className={styles.steps} aria-label={label}>
      {steps.map((step, at) => (
        <li
          key={step}
          className={styles.step}
          data-phase={at < current ? 'done' : at === current ? 'now' : 'later'}
          aria-current={at === current ? 'step' : undefined}
        >
          <Center component="span" flex="none" miw={14} aria-hidden>
            {at < current ? <IconCheck size={14} stroke={2.5} /> : at + 1}
          </Center>
          <span className={shared.cut}>{step}</span>
        </li>
      ))}
    </ol>
  )
}
