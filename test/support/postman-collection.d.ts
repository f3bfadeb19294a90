// The package brings its types, but does not say where.
/// <reference path="../../node_modules/postman-collection/types/index.d.ts" />
