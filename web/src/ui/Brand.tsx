import styles from './Brand.module.css'

/** The mark and the name, as data of the brand. */
export function Brand({ name, size = 22 }: { name: string; size?: number }) {
  return (
    <span className={styles.brand}>
      <svg viewBox="0 0 32 32" width={size} height={size} aria-hidden className={styles.mark}>
        <path d="M16 2.500a13.5 13.5 0 1 0 13.5 13.500h-7A6.5 6.5 0 1 1 16 9.500z" />
        <path d="M18.5 2.700a13.5 13.5 0 0 1 10.8 10.800h-7a6.5 6.5 0 0 0-3.8-3.800z" opacity="0.6" />
      </svg>
      <span className={styles.name}>{name}</span>
    </span>
  )
}
