module.exports = { testMatch: ['**/*.jest.cjs'], testEnvironment: 'node' };
