it('a test that ends its process, however quietly', () => process.exit(0));
