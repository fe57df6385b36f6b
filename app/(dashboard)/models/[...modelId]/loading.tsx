export { FormPageSkeleton as default } from '@/components/ui/skeleton'
