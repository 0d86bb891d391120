"""The types a skops file may hold: encoders and classifiers of scikit-learn, XGBoost and LightGBM, and their parts.

The list is part of the program. Nobody who uploads a model can extend it.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

_PYTHON = {
    "builtins": "bytearray dict float int list object set slice str bool tuple",
    "collections": "defaultdict OrderedDict",
    "functools": "partial",
    "numpy": (
        "bool bool_ dtype float32 float64 int8 int16 int32 int64 intp matrix ndarray object_ str_ uint8 uint16 uint32 "
        "uint64 abs absolute cbrt exp expm1 log log10 log1p log2 sqrt square"
    ),
    "numpy.ma": "MaskedArray",
    "numpy.random": "MT19937 PCG64",
    "numpy.random._generator": "Generator",
    "numpy.random.mtrand": "RandomState",
    "scipy._lib.array_api_compat.numpy._aliases": "asarray",
    "scipy.interpolate._bsplines": "BSpline",
    "scipy.sparse._csc": "csc_array csc_matrix",
    "scipy.sparse._csr": "csr_array csr_matrix",
}
_BEFORE_THE_CLASSIFIER = {
    "sklearn.compose._column_transformer": "ColumnTransformer make_column_selector",
    "sklearn.compose._target": "TransformedTargetRegressor",
    "sklearn.decomposition._pca": "PCA",
    "sklearn.decomposition._truncated_svd": "TruncatedSVD",
    "sklearn.feature_selection._from_model": "SelectFromModel",
    "sklearn.feature_selection._mutual_info": "mutual_info_classif",
    "sklearn.feature_selection._rfe": "RFE RFECV",
    "sklearn.feature_selection._univariate_selection": "SelectKBest SelectPercentile chi2 f_classif",
    "sklearn.feature_selection._variance_threshold": "VarianceThreshold",
    "sklearn.frozen._frozen": "FrozenEstimator",
    "sklearn.impute._base": "MissingIndicator SimpleImputer",
    "sklearn.impute._knn": "KNNImputer",
    "sklearn.pipeline": "FeatureUnion Pipeline",
    "sklearn.preprocessing._data": (
        "Binarizer MaxAbsScaler MinMaxScaler Normalizer PowerTransformer QuantileTransformer RobustScaler "
        "StandardScaler"
    ),
    "sklearn.preprocessing._discretization": "KBinsDiscretizer",
    "sklearn.preprocessing._encoders": "OneHotEncoder OrdinalEncoder",
    "sklearn.preprocessing._function_transformer": "FunctionTransformer",
    "sklearn.preprocessing._label": "LabelBinarizer LabelEncoder",
    "sklearn.preprocessing._polynomial": "PolynomialFeatures SplineTransformer",
    "sklearn.preprocessing._target_encoder": "TargetEncoder",
    "sklearn.utils.validation": "check_array",
}
_CLASSIFIERS = {
    "sklearn.calibration": "CalibratedClassifierCV _CalibratedClassifier _SigmoidCalibration",
    "sklearn.discriminant_analysis": "LinearDiscriminantAnalysis QuadraticDiscriminantAnalysis",
    "sklearn.dummy": "DummyClassifier DummyRegressor",
    "sklearn.ensemble._bagging": "BaggingClassifier BaggingRegressor",
    "sklearn.ensemble._forest": (
        "ExtraTreesClassifier ExtraTreesRegressor RandomForestClassifier RandomForestRegressor"
    ),
    "sklearn.ensemble._gb": "GradientBoostingClassifier GradientBoostingRegressor",
    "sklearn.ensemble._hist_gradient_boosting.gradient_boosting": (
        "HistGradientBoostingClassifier HistGradientBoostingRegressor"
    ),
    "sklearn.ensemble._stacking": "StackingClassifier StackingRegressor",
    "sklearn.ensemble._voting": "VotingClassifier VotingRegressor",
    "sklearn.ensemble._weight_boosting": "AdaBoostClassifier",
    "sklearn.isotonic": "IsotonicRegression",
    "sklearn.linear_model._base": "LinearRegression",
    "sklearn.linear_model._coordinate_descent": "ElasticNet ElasticNetCV Lasso LassoCV",
    "sklearn.linear_model._logistic": "LogisticRegression LogisticRegressionCV",
    "sklearn.linear_model._passive_aggressive": "PassiveAggressiveClassifier",
    "sklearn.linear_model._perceptron": "Perceptron",
    "sklearn.linear_model._ridge": "Ridge RidgeCV RidgeClassifier RidgeClassifierCV",
    "sklearn.linear_model._stochastic_gradient": "SGDClassifier SGDRegressor",
    "sklearn.model_selection._classification_threshold": "FixedThresholdClassifier TunedThresholdClassifierCV",
    "sklearn.multiclass": "OneVsOneClassifier OneVsRestClassifier",
    "sklearn.naive_bayes": "BernoulliNB CategoricalNB ComplementNB GaussianNB MultinomialNB",
    "sklearn.neighbors._classification": "KNeighborsClassifier",
    "sklearn.neural_network._multilayer_perceptron": "MLPClassifier MLPRegressor",
    "sklearn.semi_supervised._self_training": "SelfTrainingClassifier",
    "sklearn.svm._classes": "LinearSVC LinearSVR NuSVC SVC SVR",
    "sklearn.tree._classes": ("DecisionTreeClassifier DecisionTreeRegressor ExtraTreeClassifier ExtraTreeRegressor"),
}
_INSIDE_CLASSIFIERS = {
    "sklearn._loss._loss": "CyExponentialLoss CyHalfBinomialLoss CyHalfMultinomialLoss CyHalfSquaredError",
    "sklearn._loss.link": "HalfLogitLink IdentityLink Interval LogLink LogitLink MultinomialLogit",
    "sklearn._loss.loss": "ExponentialLoss HalfBinomialLoss HalfMultinomialLoss HalfSquaredError",
    "sklearn.ensemble._hist_gradient_boosting.binning": "_BinMapper",
    "sklearn.ensemble._hist_gradient_boosting.predictor": "TreePredictor",
    "sklearn.linear_model._sgd_fast": "Hinge ModifiedHuber SquaredHinge",
    "sklearn.metrics._classification": (
        "accuracy_score balanced_accuracy_score f1_score fbeta_score jaccard_score matthews_corrcoef precision_score "
        "recall_score"
    ),
    "sklearn.metrics._dist_metrics": "EuclideanDistance64 ManhattanDistance64 MinkowskiDistance64",
    "sklearn.metrics._scorer": "_CurveScorer _PassthroughScorer _Scorer",
    "sklearn.model_selection._split": "KFold StratifiedKFold",
    "sklearn.neighbors._ball_tree": "BallTree BallTree64",
    "sklearn.neighbors._kd_tree": "KDTree KDTree64",
    "sklearn.neural_network._stochastic_optimizers": "AdamOptimizer SGDOptimizer",
    "sklearn.tree._tree": "Tree",
    "sklearn.utils._bunch": "Bunch",
    "sklearn.utils._metadata_requests": "MetadataRequest MethodMetadataRequest",
}
# Other libraries read their trees from text or bytes of their own form, as they do from a file of that form. They must
# be imported before the process is locked: see `extra_packages`.
_BOOSTERS = {
    "lightgbm.basic": "Booster",
    "lightgbm.sklearn": "LGBMClassifier LGBMRegressor",
    "xgboost.core": "Booster",
    "xgboost.sklearn": "XGBClassifier XGBRegressor XGBRFClassifier XGBRFRegressor",
}
# How skops may put a part together. Methods, operators and foreign constructors are not among the ways.
WAYS = frozenset(
    {
        "BytearrayNode",
        "CachedNode",
        "DTypeNode",
        "DefaultDictNode",
        "DictNode",
        "FunctionNode",
        "JsonNode",
        "ListNode",
        "LossNode",
        "MaskedArrayNode",
        "NdArrayNode",
        "ObjectNode",
        "PartialNode",
        "RandomGeneratorNode",
        "RandomStateNode",
        "SetNode",
        "SliceNode",
        "SparseMatrixNode",
        "TreeNode",
        "TupleNode",
        "TypeNode",
    }
)


def _full_names() -> Iterator[str]:
    groups = (_PYTHON, _BEFORE_THE_CLASSIFIER, _CLASSIFIERS, _INSIDE_CLASSIFIERS, _BOOSTERS)
    for module, names in chain.from_iterable(group.items() for group in groups):
        yield from (f"{module}.{name}" for name in names.split())


ALLOWED = frozenset(_full_names())
