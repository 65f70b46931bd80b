export { catalogId as toolId } from "@code-mode/catalog";
