import { Progress, type MantineColor } from '@mantine/core'
import { percent } from '../lib/format.ts'

interface BarProps {
  value: number
  'aria-label': string
  color?: MantineColor
  animated?: boolean
  className?: string
}

/** How far something is, of 100; who hears it hears `43 %`, as it is written, where Mantine would say all decimals. */
export function Bar({ value, 'aria-label': label, className, ...rest }: BarProps) {
  return (
    <Progress.Root {...(className && { className })}>
      <Progress.Section
        value={value}
        {...rest}
        aria-label={label}
        withAria={false}
        role="progressbar"
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.floor(value)}
        aria-valuetext={percent(value)}
      />
    </Progress.Root>
  )
}
