#include "real/linear.h"

#include <cstddef>

namespace ptxequiv::real {
namespace {

// Primal simplex with Bland's rule on: minimise or maximise over x >= 0 with A x = b, b >= 0, where
// the last columns are artificial and start as the basis.
class Tableau {
 public:
  Tableau(size_t rows, size_t columns)
      : columns_(columns), cells_(rows, std::vector<mpq_class>(columns + 1)), basis_(rows) {}

  mpq_class& at(size_t row, size_t column) { return cells_[row][column]; }
  mpq_class& right(size_t row) { return cells_[row][columns_]; }
  void set_basis(size_t row, size_t column) { basis_[row] = column; }
  size_t basis(size_t row) const { return basis_[row]; }
  size_t rows() const { return cells_.size(); }

  void pivot(size_t row, size_t column) {
    const mpq_class by = cells_[row][column];
    for (mpq_class& cell : cells_[row]) {
      if (sgn(cell) != 0) cell /= by;
    }
    for (size_t i = 0; i < cells_.size(); ++i) {
      if (i == row || sgn(cells_[i][column]) == 0) continue;
      const mpq_class k = cells_[i][column];
      for (size_t j = 0; j <= columns_; ++j) {
        if (sgn(cells_[row][j]) != 0) cells_[i][j] -= k * cells_[row][j];
      }
    }
    basis_[row] = column;
  }

  // Maximises `objective` over columns below `usable`. Stops early once the value is positive, if
  // asked. Returns the value, or nothing if it is unbounded.
  struct Result {
    bool unbounded = false;
    mpq_class value;
  };
  Result maximise(const std::vector<mpq_class>& objective, size_t usable, bool until_positive,
                  const base::Deadline& deadline) {
    for (;;) {
      deadline.poll();
      Result result;
      for (size_t i = 0; i < rows(); ++i) {
        if (sgn(objective[basis_[i]]) != 0) result.value += objective[basis_[i]] * right(i);
      }
      if (until_positive && sgn(result.value) > 0) return result;
      size_t entering = usable;
      for (size_t j = 0; j < usable && entering == usable; ++j) {
        mpq_class reduced = objective[j];
        for (size_t i = 0; i < rows(); ++i) {
          if (sgn(objective[basis_[i]]) != 0) reduced -= objective[basis_[i]] * at(i, j);
        }
        if (sgn(reduced) > 0) entering = j;
      }
      if (entering == usable) return result;
      size_t leaving = rows();
      mpq_class best;
      for (size_t i = 0; i < rows(); ++i) {
        if (sgn(at(i, entering)) <= 0) continue;
        const mpq_class ratio = right(i) / at(i, entering);
        if (leaving == rows() || ratio < best || (ratio == best && basis_[i] < basis_[leaving])) {
          leaving = i;
          best = ratio;
        }
      }
      if (leaving == rows()) {
        result.unbounded = true;
        return result;
      }
      pivot(leaving, entering);
    }
  }

 private:
  size_t columns_;
  std::vector<std::vector<mpq_class>> cells_;
  std::vector<size_t> basis_;
};

}  // namespace

bool follows(const LinearForm& target, bool strict, const std::vector<LinearFact>& facts,
             int variables, const base::Deadline& deadline) {
  // target = sum l_i * fact_i + s with l_i, s >= 0; strictly if s or the l of a strict fact is > 0.
  // Columns: the l_i, s, then one artificial variable a row; rows: the variables, the constant.
  const size_t n = facts.size(), rows = static_cast<size_t>(variables) + 1;
  Tableau t(rows, n + 1 + rows);
  for (size_t i = 0; i < n; ++i) {
    for (const auto& [variable, k] : facts[i].form.terms)
      t.at(static_cast<size_t>(variable), i) = k;
    t.at(rows - 1, i) = facts[i].form.constant;
  }
  t.at(rows - 1, n) = 1;
  for (const auto& [variable, k] : target.terms) t.right(static_cast<size_t>(variable)) = k;
  t.right(rows - 1) = target.constant;
  for (size_t r = 0; r < rows; ++r) {
    if (sgn(t.right(r)) < 0) {
      for (size_t j = 0; j <= n; ++j) t.at(r, j) = -t.at(r, j);
      t.right(r) = -t.right(r);
    }
    t.at(r, n + 1 + r) = 1;
    t.set_basis(r, n + 1 + r);
  }
  std::vector<mpq_class> objective(n + 1 + rows);
  for (size_t r = 0; r < rows; ++r) objective[n + 1 + r] = -1;
  if (sgn(t.maximise(objective, n + 1, false, deadline).value) < 0) return false;
  if (!strict) return true;
  // Artificial variables still in the basis are zero; drive them out or leave a void row.
  for (size_t r = 0; r < rows; ++r) {
    if (t.basis(r) <= n) continue;
    for (size_t j = 0; j <= n; ++j) {
      if (sgn(t.at(r, j)) != 0) {
        t.pivot(r, j);
        break;
      }
    }
  }
  std::vector<mpq_class> strictness(n + 1 + rows);
  for (size_t i = 0; i < n; ++i) strictness[i] = facts[i].strict ? 1 : 0;
  strictness[n] = 1;
  const Tableau::Result best = t.maximise(strictness, n + 1, true, deadline);
  return best.unbounded || sgn(best.value) > 0;
}

}  // namespace ptxequiv::real
