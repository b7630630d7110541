import { IconPrinter } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from '../../../lib/translation.ts'
import { paths } from '../../../lib/paths.ts'
import { productsQuery } from './linking.api.ts'
import { pictureOf, type Product, productTarget } from './targets.ts'
import styles from './Wizard.module.css'

/** Printers that ship with an agent: a card each, by brand. Without the list, the three ways above remain. */
export function ProductList({ search }: { search: Record<string, string> }) {
  const { t } = useTranslation('linking')
  const { data: products = [] } = useQuery(productsQuery)
  const [brand, setBrand] = useState<string | null>(null)
  if (products.length === 0) return null
  const brands = [...new Set(products.map((product) => product.brand))].toSorted((a, b) => a.localeCompare(b))
  const shown = products.filter((product) => brand === null || product.brand === brand)
  return (
    <section className={styles.products} aria-labelledby="products">
      <h2 id="products">{t('products.title')}</h2>
      {brands.length > 1 && (
        <div className={styles.brands} role="group" aria-label={t('products.filter')}>
          {[null, ...brands].map((each) => (
            <button
              key={each ?? ''}
              type="button"
              aria-pressed={brand === each}
              onClick={() => setBrand(each)}
            >
              {each ?? t('products.all')}
            </button>
          ))}
        </div>
      )}
      <ul className={styles.productGrid}>
        {shown.map((product) => (
          <li key={`${product.brand} ${product.model}`}>
            <Link
              to={paths.wizardGuide(productTarget(product))}
              search={{ ...search, printerItem: JSON.stringify(product) }}
              className={styles.product}
            >
              <ProductPicture product={product} />
              <span>
                <small>{product.brand}</small>
                <strong>{product.model}</strong>
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}

export function ProductPicture({ product }: { product: Product }) {
  const src = pictureOf(product)
  return (
    <span className={styles.productPicture}>
      {src ? <img src={src} alt="" loading="lazy" /> : <IconPrinter size={26} stroke={1.25} aria-hidden />}
    </span>
  )
}
