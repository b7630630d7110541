export { engineQuery, slicedQuery } from './slicing.api.ts'
