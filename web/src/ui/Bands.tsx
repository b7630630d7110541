import { BAND_ENDS } from '@vigil/contract/watch/band.ts'
import styles from './Bands.module.css'

const GOOD = BAND_ENDS.good * 100
const FISHY = BAND_ENDS.fishy * 100

/** The gauge's bands as the ground of a curve, 1000 wide and 100 high. */
export function Bands() {
  return (
    <>
      <rect className={styles.failing} width="1000" height={100 - FISHY} />
      <rect className={styles.fishy} y={100 - FISHY} width="1000" height={FISHY - GOOD} />
      <rect className={styles.good} y={100 - GOOD} width="1000" height={GOOD} />
    </>
  )
}
