export { OfferToGallery } from './OfferToGallery.tsx'
