import { Box } from '@mantine/core'
import { logoOf } from '../lib/brand.ts'
import { useBootstrap } from '../lib/session.ts'
import styles from './Brand.module.css'

/** The mark, in the accent of the theme, and the name of the brand. */
export function Brand({ size = 22 }: { size?: number }) {
  const { page_context: context } = useBootstrap()
  const maskImage = `url("${logoOf(context.syndicate)}")`
  return (
    <span className={styles.brand}>
      <span className={styles.mark} style={{ width: size, height: size, maskImage }} aria-hidden />
      <Box component="span" fz={17} fw={700} lts="-0.01em" c="var(--v-ink)">
        {context.syndicate.display_name}
      </Box>
    </span>
  )
}
